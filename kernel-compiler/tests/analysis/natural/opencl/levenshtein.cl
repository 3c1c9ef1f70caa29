__kernel void levenshtein(__global const uchar* words, __constant uchar* pattern, __global uint* out, uint len, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        __global const uchar* word = words + i * len;
        uint row[17];
        for (uint j = 0; j < 17; j++) row[j] = j;
        for (uint a = 0; a < len; a++) {
            uint diagonal = row[0];
            row[0] = a + 1;
            for (uint b = 0; b < 16; b++) {
                uint cost = word[a] == pattern[b] ? 0 : 1;
                uint best = min(min(diagonal + cost, row[b] + 1), row[b + 1] + 1);
                diagonal = row[b + 1];
                row[b + 1] = best;
            }
        }
        out[i] = row[16];
    }
}
