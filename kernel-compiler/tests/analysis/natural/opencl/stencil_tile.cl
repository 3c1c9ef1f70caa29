__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void stencil_tile(global const float* restrict x, ulong n, global float* restrict y, ulong yn) {
    local float tile[66];
    size_t l = get_local_id(0), i = get_global_id(0);
    tile[l + 1] = i < n ? x[i] : 0.0f;
    if (l == 0) tile[0] = i > 0 && i - 1 < n ? x[i - 1] : 0.0f;
    if (l == 63) tile[65] = i + 1 < n ? x[i + 1] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < yn) y[i] = 0.25f * tile[l] + 0.5f * tile[l + 1] + 0.25f * tile[l + 2];
}
