// y = a * x + y for the first n elements.
kernel void saxpy(float a, global const float *restrict x, ulong x_len, global float *restrict y, ulong y_len, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] += a * x[i];
}
