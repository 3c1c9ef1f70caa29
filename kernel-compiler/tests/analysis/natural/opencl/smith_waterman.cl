__kernel void smith_waterman(__global const uchar* a, __global const uchar* b, __global const int* before, __global const int* last, __global int* next, uint d, uint n, uint m) {
    uint i = get_global_id(0);
    if (i <= d && i < n && d - i < m) {
        uint j = d - i;
        int score = a[i] == b[j] ? 3 : -2;
        int diagonal = (i > 0 && j > 0) ? before[i - 1] : 0, up = i > 0 ? last[i - 1] : 0, left = j > 0 ? last[i] : 0;
        next[i] = max(max(max(diagonal + score, up - 1), left - 1), 0);
    }
}
