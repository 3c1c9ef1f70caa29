__kernel void merge_ranks(__global const uint* keys, __global uint* out, uint run, uint n) {
    uint i = get_global_id(0);
    if (i >= n) return;
    uint own = i / run, other = own ^ 1, start = min(other * run, n), end = min(start + run, n), key = keys[i];
    uint low = start, high = end;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (own < other ? keys[middle] < key : keys[middle] <= key) low = middle + 1;
        else high = middle;
    }
    out[min(own, other) * run + i % run + (low - start)] = key;
}
