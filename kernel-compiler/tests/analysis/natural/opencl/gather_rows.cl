__kernel void gather_rows(__global const float* x, __global const uint* rows, __global float* out, uint columns, uint count) {
    uint c = get_global_id(0), i = get_global_id(1);
    if (c < columns && i < count) out[i * columns + c] = x[rows[i] * columns + c];
}
