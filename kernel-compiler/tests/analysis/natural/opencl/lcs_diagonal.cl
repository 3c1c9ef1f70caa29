__kernel void lcs_diagonal(__global const uchar* a, __global const uchar* b, __global const uint* before, __global const uint* last, __global uint* next,
                           uint a_len, uint b_len, uint diagonal) {
    uint i = get_global_id(0);
    if (i == 0 || i > a_len || i >= diagonal || diagonal - i > b_len) return;
    uint j = diagonal - i;
    next[i] = a[i - 1] == b[j - 1] ? before[i - 1] + 1 : max(last[i - 1], last[i]);
}
