// A step of the heat equation in a cube.
kernel void stencil3d(global const float *restrict x, ulong x_len, global float *restrict y, ulong y_len, uint width, uint height, uint depth)
{
    size_t w = width, h = height, d = depth;
    size_t i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i > 0 && j > 0 && k > 0 && i + 1 < w && j + 1 < h && k + 1 < d) {
        size_t p = (k * h + j) * w + i;
        float around = x[p - 1] + x[p + 1] + x[p - w] + x[p + w] + x[p - w * h] + x[p + w * h];
        y[p] = 0.4f * x[p] + 0.1f * around;
    }
}
