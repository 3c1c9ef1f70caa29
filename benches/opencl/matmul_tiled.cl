// A product of matrices of m by k and k by n, all multiples of 16, by tiles in local memory.
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul_tiled(global const float *restrict a, ulong a_len, global const float *restrict b, ulong b_len,
                  global float *restrict c, ulong c_len, uint m, uint n, uint k)
{
    local float left[16][16], right[16][16];
    size_t lx = get_local_id(0), ly = get_local_id(1);
    size_t column = get_group_id(0) * 16 + lx, row = get_group_id(1) * 16 + ly;
    float sum = 0.0f;
    for (size_t t = 0; t < k; t += 16) {
        left[ly][lx] = a[row * k + t + lx];
        right[ly][lx] = b[(t + ly) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t i = 0; i < 16; i++)
            sum += left[ly][i] * right[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
