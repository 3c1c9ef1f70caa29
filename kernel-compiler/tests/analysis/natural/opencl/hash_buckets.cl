kernel void hash_buckets(global const ulong* restrict keys, ulong n, global uint* restrict out, ulong on, uint buckets) {
    size_t i = get_global_id(0);
    if (i < n) {
        ulong h = 0xcbf29ce484222325UL;
        for (int k = 0; k < 8; k++) {
            h ^= keys[i] >> (8 * k) & 0xff;
            h *= 0x100000001b3UL;
        }
        out[i] = h % buckets;
    }
}
