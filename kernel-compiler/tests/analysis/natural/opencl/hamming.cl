kernel void hamming(global const ulong* a, global const ulong* b, global uint* out, uint words, uint na, uint nb) {
    uint j = get_global_id(0), i = get_global_id(1);
    if (i < na && j < nb) {
        uint d = 0;
        for (uint k = 0; k < words; k++) d += popcount(a[i * words + k] ^ b[j * words + k]);
        out[i * nb + j] = d;
    }
}
