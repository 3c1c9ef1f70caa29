#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__attribute__((reqd_work_group_size(128,1,1)))
__kernel void half_dots(__global const half* a, __global const half* b, __global float* partial, uint n) {
    __local float s[128];
    uint l = get_local_id(0);
    float sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += (float)a[i] * (float)b[i];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 64; d > 0; d /= 2) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (l == 0) partial[get_group_id(0)] = s[0];
}
