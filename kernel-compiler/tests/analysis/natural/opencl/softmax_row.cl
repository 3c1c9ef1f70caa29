kernel void softmax_row(global const float* restrict x, ulong xn, global float* restrict y, ulong yn, uint cols) {
    size_t n = cols, r = get_global_id(0);
    if ((r + 1) * n > xn) return;
    global const float* restrict row = x + r * n;
    float most = -INFINITY, sum = 0.0f;
    for (size_t c = 0; c < n; c++) most = fmax(most, row[c]);
    for (size_t c = 0; c < n; c++) sum += exp(row[c] - most);
    for (size_t c = 0; c < n; c++) y[r * n + c] = exp(row[c] - most) / sum;
}
