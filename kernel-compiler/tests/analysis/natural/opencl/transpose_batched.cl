kernel void transpose_batched(global const float* restrict x, ulong xn, global float* restrict y, ulong yn, uint rows, uint cols) {
    size_t r = rows, c = cols, j = get_global_id(0), i = get_global_id(1), b = get_global_id(2);
    if (i < r && j < c && (b + 1) * r * c <= xn) y[b * r * c + j * r + i] = x[b * r * c + i * c + j];
}
