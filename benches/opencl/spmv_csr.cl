// A product of a sparse matrix, in compressed rows, and a vector.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void spmv_csr(global const uint *restrict ptr, ulong ptr_len, global const uint *restrict col, ulong col_len,
                     global const double *restrict val, ulong val_len, global const double *restrict x, ulong x_len,
                     global double *restrict y, ulong y_len)
{
    size_t row = get_global_id(0);
    if (row < y_len) {
        double sum = 0.0;
        for (size_t i = ptr[row], end = ptr[row + 1]; i < end; i++)
            sum += val[i] * x[col[i]];
        y[row] = sum;
    }
}
