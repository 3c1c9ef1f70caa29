kernel void moving_average(global const float* restrict x, ulong n, global float* restrict y, ulong yn, uint window) {
    size_t i = get_global_id(0), w = window;
    if (i + w <= n && i < yn) {
        float sum = 0.0f;
        for (size_t k = 0; k < w; k++) sum += x[i + k];
        y[i] = sum / (float)w;
    }
}
