__kernel void avg_pool_padded(__global const float* x, __global float* y, uint width, uint height, uint radius) {
    uint i = get_global_id(0), j = get_global_id(1);
    if (i < width && j < height) {
        uint x0 = i > radius ? i - radius : 0, x1 = min(i + radius + 1, width);
        uint y0 = j > radius ? j - radius : 0, y1 = min(j + radius + 1, height);
        float sum = 0.0f;
        for (uint v = y0; v < y1; v++)
            for (uint u = x0; u < x1; u++) sum += x[v * width + u];
        y[j * width + i] = sum / (float)((x1 - x0) * (y1 - y0));
    }
}
