kernel void jaccard_rows(global const uint* offsets, global const uint* items, global float* out, uint n) {
    uint r = get_global_id(0);
    if (r + 2 < n) {
        uint i = offsets[r], ae = offsets[r + 1], j = ae, be = offsets[r + 2];
        uint la = ae - i, lb = be - j, both = 0;
        while (i < ae && j < be) {
            uint p = items[i], q = items[j];
            if (p == q) { both++; i++; j++; } else if (p < q) i++; else j++;
        }
        out[r] = (float)both / (float)max(la + lb - both, 1u);
    }
}
