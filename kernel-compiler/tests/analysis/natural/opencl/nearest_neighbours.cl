__kernel void nearest_neighbours(__global const float* points, __global const float* queries, __global uint* out, uint n, uint m) {
    uint q = get_global_id(0);
    if (q < m / 3) {
        float best[8]; uint index[8];
        for (int j = 0; j < 8; j++) { best[j] = FLT_MAX; index[j] = 0; }
        for (uint i = 0; i < n; i++) {
            float d = 0;
            for (uint c = 0; c < 3; c++) { float e = points[i * 3 + c] - queries[q * 3 + c]; d += e * e; }
            if (d < best[7]) {
                uint j = 7;
                while (j > 0 && best[j - 1] > d) { best[j] = best[j - 1]; index[j] = index[j - 1]; j--; }
                best[j] = d; index[j] = i;
            }
        }
        for (uint j = 0; j < 8; j++) out[q * 8 + j] = index[j];
    }
}
