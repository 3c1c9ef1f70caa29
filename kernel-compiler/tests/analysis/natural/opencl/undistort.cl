__kernel void undistort(__global const float* source, __global float* out, uint width, uint height, float k1, float k2) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float cx = (float)width / 2.0f, cy = (float)height / 2.0f;
    float u = ((float)x - cx) / cx, v = ((float)y - cy) / cy, r2 = u * u + v * v, scale = 1.0f + r2 * (k1 + r2 * k2);
    uint sx = convert_uint_sat(u * scale * cx + cx), sy = convert_uint_sat(v * scale * cy + cy);
    out[y * width + x] = sx < width && sy < height ? source[sy * width + sx] : 0.0f;
}
