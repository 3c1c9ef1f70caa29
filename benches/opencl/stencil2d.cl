// The mean of each inner point and its neighbours.
kernel void stencil2d(global const float *restrict x, ulong x_len, global float *restrict y, ulong y_len, uint w, uint h)
{
    size_t column = get_global_id(0), row = get_global_id(1);
    if (column > 0 && row > 0 && column + 1 < w && row + 1 < h) {
        size_t p = row * w + column;
        y[p] = 0.2f * (x[p] + x[p - 1] + x[p + 1] + x[p - w] + x[p + w]);
    }
}
