__attribute__((reqd_work_group_size(256,1,1)))
__kernel void softmax(__global const float* x, __global float* y, uint cols) {
    __local float s[256];
    uint row = get_group_id(0), l = get_local_id(0);
    __global const float* src = x + row * cols; __global float* dst = y + row * cols;
    float most = -FLT_MAX;
    for (uint c = l; c < cols; c += 256) most = fmax(most, src[c]);
    s[l] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 128; step > 0; step /= 2) { if (l < step) s[l] = fmax(s[l], s[l + step]); barrier(CLK_LOCAL_MEM_FENCE); }
    most = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint c = l; c < cols; c += 256) sum += exp(src[c] - most);
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 128; step > 0; step /= 2) { if (l < step) s[l] += s[l + step]; barrier(CLK_LOCAL_MEM_FENCE); }
    sum = s[0];
    for (uint c = l; c < cols; c += 256) dst[c] = exp(src[c] - most) / sum;
}
