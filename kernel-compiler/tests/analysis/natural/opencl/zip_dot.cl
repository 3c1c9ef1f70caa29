kernel void zip_dot(global const float* restrict a, ulong an, global const float* restrict b, ulong bn, global float* restrict y, ulong yn, uint n_) {
    size_t row = get_global_id(0), n = n_;
    if (row < yn) {
        float sum = 0.0f;
        for (size_t k = 0; k < n; k++) sum += a[row * n + k] * b[row * n + k];
        y[row] = sum;
    }
}
