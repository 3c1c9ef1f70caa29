// The sums of the products of each work-group's elements, by a tree in local memory.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void dot_local(global const float *restrict x, ulong x_len, global const float *restrict y, ulong y_len,
               global float *restrict partial, ulong partial_len, uint n)
{
    local float s[256];
    uint l = get_local_id(0);
    float sum = 0.0f;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i] * y[i];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 128; d > 0; d /= 2) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        partial[get_group_id(0)] = s[0];
}
