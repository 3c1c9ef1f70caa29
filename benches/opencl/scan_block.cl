// The sums of the elements up to each one in its work-group, and those of the work-groups.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan_block(global const uint *restrict x, ulong x_len, global uint *restrict result, ulong result_len,
                global uint *restrict sums, ulong sums_len)
{
    local uint buffer[2][256];
    size_t l = get_local_id(0), i = get_global_id(0);
    uint source = 0;
    buffer[0][l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d <<= 1) {
        uint v = buffer[source][l];
        if (l >= d)
            v += buffer[source][l - d];
        source ^= 1;
        buffer[source][l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint v = buffer[source][l];
    result[i] = v;
    if (l == 255)
        sums[get_group_id(0)] = v;
}
