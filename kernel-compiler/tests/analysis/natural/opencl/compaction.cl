__attribute__((reqd_work_group_size(256,1,1)))
__kernel void compaction(__global const int* x, __global int* out, __global const uint* offsets, uint n) {
    __local uint scan[256];
    uint g = get_global_id(0), l = get_local_id(0);
    bool keep = g < n && x[g] > 0;
    scan[l] = keep;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < 256; step *= 2) {
        uint before = l >= step ? scan[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scan[l] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (keep) { uint at = offsets[get_group_id(0)] + scan[l] - 1; out[at] = x[g]; }
}
