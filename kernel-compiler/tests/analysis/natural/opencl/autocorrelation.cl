kernel void autocorrelation(global const float* restrict x, ulong n, global float* restrict r, ulong rn) {
    size_t lag = get_global_id(0);
    if (lag < rn && lag < n) {
        float sum = 0.0f;
        for (size_t i = lag; i < n; i++) sum += x[i] * x[i - lag];
        r[lag] = sum;
    }
}
