__kernel void byte_search(__global const uchar* text, __global const uchar* pattern, __global uint* found, uint n, uint m) {
    uint i = get_global_id(0);
    if (i + m <= n) {
        bool matches = true;
        for (uint j = 0; j < m; j++) if (text[i + j] != pattern[j]) { matches = false; break; }
        found[i] = matches;
    }
}
