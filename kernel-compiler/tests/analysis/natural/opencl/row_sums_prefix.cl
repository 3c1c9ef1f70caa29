__kernel void row_sums_prefix(__global const uint* x, __global uint* sums, uint columns, uint n) {
    uint row = get_global_id(0);
    if (row >= n / columns) return;
    uint sum = 0;
    for (uint c = 0; c < columns; c++) {
        sum += x[row * columns + c];
        sums[row * columns + c] = sum;
    }
}
