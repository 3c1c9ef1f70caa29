uint spread(uint v) { v = (v | (v << 16)) & 0x030000FF; v = (v | (v << 8)) & 0x0300F00F; v = (v | (v << 4)) & 0x030C30C3; return (v | (v << 2)) & 0x09249249; }
kernel void morton3(global const float* points, global uint* codes, float scale, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        uint x = min(convert_uint_sat(points[3*i] * scale), 1023u), y = min(convert_uint_sat(points[3*i+1] * scale), 1023u), z = min(convert_uint_sat(points[3*i+2] * scale), 1023u);
        codes[i] = spread(x) | (spread(y) << 1) | (spread(z) << 2);
    }
}
