
__attribute__((reqd_work_group_size(256,1,1)))
__kernel void convolution_tiled(__global const float* image, __constant float* filter, __global float* out, uint w, uint h) {
    __local float tile[20][20];
    uint l = get_local_id(0);
    uint gx = get_group_id(0) % (w / 16), gy = get_group_id(0) / (w / 16);
    for (uint i = l; i < 400; i += 256) {
        uint y = i / 20, x = i % 20, sx = gx * 16 + x, sy = gy * 16 + y;
        tile[y][x] = (sx >= 2 && sy >= 2 && sx - 2 < w && sy - 2 < h) ? image[(sy - 2) * w + sx - 2] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = l % 16, y = l / 16;
    float sum = 0;
    for (uint dy = 0; dy < 5; dy++) for (uint dx = 0; dx < 5; dx++) sum += tile[y + dy][x + dx] * filter[dy * 5 + dx];
    uint ox = gx * 16 + x, oy = gy * 16 + y;
    if (ox < w && oy < h) out[oy * w + ox] = sum;
}
