__kernel void int4_products(__global const uchar* weights, __global const float* scales, __global const float* x, __global float* y, uint cols, uint rows) {
    uint row = get_global_id(0);
    if (row < rows) {
        float sum = 0;
        for (uint b = 0; b < cols / 32; b++) {
            float scale = scales[row * (cols / 32) + b], part = 0;
            for (uint i = 0; i < 16; i++) {
                uchar byte = weights[row * cols / 2 + b * 16 + i];
                int low = (byte & 15) - 8, high = (byte >> 4) - 8;
                part += (float)low * x[b * 32 + 2 * i] + (float)high * x[b * 32 + 2 * i + 1];
            }
            sum += part * scale;
        }
        y[row] = sum;
    }
}
