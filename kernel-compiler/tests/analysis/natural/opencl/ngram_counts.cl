__kernel void ngram_counts(__global const uchar* text, __global uint* counts, uint n, uint buckets) {
    uint i = get_global_id(0);
    if (i + 2 < n) {
        uint gram = (uint)text[i] * 961 + (uint)text[i + 1] * 31 + (uint)text[i + 2];
        atomic_inc(&counts[gram % buckets]);
    }
}
