__kernel void lower_bounds(__global const float* sorted, __global const float* keys, __global uint* places, uint n, uint m) {
    uint i = get_global_id(0);
    if (i >= m) return;
    uint first = 0, count = n;
    while (count > 0) {
        uint half_count = count / 2;
        if (sorted[first + half_count] < keys[i]) {
            first += half_count + 1;
            count -= half_count + 1;
        } else {
            count = half_count;
        }
    }
    places[i] = first;
}
