// How often each byte is the lowest of a number; each work-group counts in its own local memory.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(global const uint *restrict data, ulong data_len, volatile global uint *restrict hist, ulong hist_len)
{
    local uint bins[256];
    size_t l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_global_id(0); i < data_len; i += get_global_size(0))
        atomic_inc(&bins[data[i] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint count = bins[l];
    if (count)
        atomic_add(&hist[l], count);
}
