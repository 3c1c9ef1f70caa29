// The softmax of each row of 256 numbers, by what a work-group does together.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void softmax(global const float *restrict x, ulong x_len, global float *restrict y, ulong y_len)
{
    size_t i = get_global_id(0);
    float greatest = work_group_reduce_max(x[i]);
    float part = exp(x[i] - greatest);
    y[i] = part / work_group_reduce_add(part);
}
