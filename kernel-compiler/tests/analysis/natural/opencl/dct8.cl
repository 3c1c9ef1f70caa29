kernel void dct8(global const float* restrict blocks, ulong bn, global const float* restrict table, global float* restrict out, ulong n) {
    size_t b = get_global_id(0);
    if (b < n)
        for (int u = 0; u < 8; u++) {
            float s = 0.0f;
            for (int x = 0; x < 8; x++) s += blocks[8 * b + x] * table[8 * u + x];
            out[8 * b + u] = s;
        }
}
