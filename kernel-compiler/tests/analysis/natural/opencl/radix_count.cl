__attribute__((reqd_work_group_size(256,1,1)))
__kernel void radix_count(__global const uint* keys, __global uint* counts, uint shift, uint n) {
    __local uint bins[16];
    uint l = get_local_id(0), g = get_group_id(0);
    if (l < 16) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 4; j++) {
        uint i = g * 1024 + j * 256 + l;
        if (i < n) atomic_inc(&bins[(keys[i] >> shift) & 15]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) counts[l * get_num_groups(0) + g] = bins[l];
}
