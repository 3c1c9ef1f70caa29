__kernel void half_dots_by_four(__global const float* a, __global const float* b, __global float* out, uint n, uint rows) {
    uint row = get_global_id(0);
    if (row < rows) {
        float sum = 0;
        for (uint k = 0; k < n; k += 4)
            sum += a[row * n + k] * b[k] + a[row * n + k + 1] * b[k + 1] + a[row * n + k + 2] * b[k + 2] + a[row * n + k + 3] * b[k + 3];
        out[row] = sum;
    }
}
