__kernel void convolution(__global const float* image, __global const float* filter, __global float* out, uint w, uint h) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) {
        float sum = 0;
        for (int dy = -2; dy <= 2; dy++) for (int dx = -2; dx <= 2; dx++) {
            int sx = clamp((int)x + dx, 0, (int)w - 1);
            int sy = clamp((int)y + dy, 0, (int)h - 1);
            float weight = filter[(dy + 2) * 5 + dx + 2];
            sum += image[sy * w + sx] * weight;
        }
        out[y * w + x] = sum;
    }
}
