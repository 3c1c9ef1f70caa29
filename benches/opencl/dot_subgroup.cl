// The sums of the products of each work-group's elements, by subgroups.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void dot_subgroup(global const float *restrict x, ulong x_len, global const float *restrict y, ulong y_len,
                  global float *restrict partial, ulong partial_len, uint n)
{
    local float s[64];
    float sum = 0.0f;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i] * y[i];
    sum = sub_group_reduce_add(sum);
    if (get_sub_group_local_id() == 0)
        s[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        float total = 0.0f;
        for (uint k = 0; k < get_num_sub_groups(); k++)
            total += s[k];
        partial[get_group_id(0)] = total;
    }
}
