// A product of square matrices by tiles of four rows and four columns, of which each work-item computes one.
kernel void gemm_registers(global const float *restrict a, ulong a_len, global const float *restrict b, ulong b_len,
                           global float *restrict c, ulong c_len, uint size)
{
    size_t n = size, column = get_global_id(0), row = get_global_id(1);
    if (column >= n / 4 || row >= n / 4)
        return;
    float sums[4][4] = {{0.0f}};
    for (size_t k = 0; k < n; k++) {
        float left[4], right[4];
        for (int i = 0; i < 4; i++) {
            left[i] = a[(4 * row + i) * n + k];
            right[i] = b[k * n + 4 * column + i];
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                sums[i][j] += left[i] * right[j];
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[16 * (row * (n / 4) + column) + 4 * i + j] = sums[i][j];
}
