__kernel void spmm(__global const uint* ptr, __global const uint* col, __global const float* val, __global const float* x, __global float* y, uint cols, uint rows) {
    uint c = get_global_id(0), row = get_global_id(1);
    if (c < cols && row < rows) {
        float sum = 0;
        for (uint i = ptr[row]; i < ptr[row + 1]; i++) sum += val[i] * x[col[i] * cols + c];
        y[row * cols + c] = sum;
    }
}
