kernel void segment_sum(global const float* restrict values, ulong vn, global const uint* restrict starts, ulong stn, global const uint* restrict ends, ulong en, global float* restrict sums, ulong n) {
    size_t s = get_global_id(0);
    if (s < n) {
        float sum = 0.0f;
        for (size_t k = starts[s]; k < ends[s]; k++) sum += values[k];
        sums[s] = sum;
    }
}
