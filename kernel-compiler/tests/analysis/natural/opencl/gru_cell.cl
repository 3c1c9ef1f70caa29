kernel void gru_cell(global const float* x, global const float* h, global const float* wx, global const float* wh, global float* out, uint inputs, uint hidden, uint batch) {
    uint j = get_global_id(0), b = get_global_id(1);
    if (j >= hidden || b >= batch) return;
    float z = 0, r = 0, n = 0, hn = 0;
    for (uint i = 0; i < inputs; i++) {
        float v = x[b * inputs + i];
        z += v * wx[i * 3 * hidden + j]; r += v * wx[i * 3 * hidden + hidden + j]; n += v * wx[i * 3 * hidden + 2 * hidden + j];
    }
    for (uint i = 0; i < hidden; i++) {
        float v = h[b * hidden + i];
        z += v * wh[i * 3 * hidden + j]; r += v * wh[i * 3 * hidden + hidden + j]; hn += v * wh[i * 3 * hidden + 2 * hidden + j];
    }
    z = 1.0f / (1.0f + exp(-z)); r = 1.0f / (1.0f + exp(-r)); n = tanh(n + r * hn);
    out[b * hidden + j] = (1.0f - z) * n + z * h[b * hidden + j];
}
