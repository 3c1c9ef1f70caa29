kernel void binary_search_each(global const uint* restrict sorted, ulong sn, global const uint* restrict keys, ulong n, global uint* restrict found, ulong fn) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    size_t lo = 0, hi = sn;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (sorted[mid] < keys[i]) lo = mid + 1; else hi = mid;
    }
    found[i] = lo;
}
