// A matrix of h rows transposed, by tiles in local memory.
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void transpose(global const float *restrict x, ulong x_len, global float *restrict y, ulong y_len, uint w, uint h)
{
    local float tile[16][17];
    size_t lx = get_local_id(0), ly = get_local_id(1);
    size_t column = get_global_id(0), row = get_global_id(1);
    if (column < w && row < h)
        tile[ly][lx] = x[row * w + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    column = get_group_id(1) * 16 + lx;
    row = get_group_id(0) * 16 + ly;
    if (column < h && row < w)
        y[row * h + column] = tile[lx][ly];
}
