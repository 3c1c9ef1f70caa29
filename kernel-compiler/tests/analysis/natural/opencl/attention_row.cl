__attribute__((reqd_work_group_size(64,1,1)))
__kernel void attention_row(__global const float* q, __global const float* k, __global const float* v, __global float* out, uint n) {
    __local float scores[1024]; __local float query[64];
    uint row = get_group_id(0), l = get_local_id(0);
    query[l] = q[row * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = l; j < n; j += 64) {
        float sum = 0;
        for (uint d = 0; d < 64; d++) sum += query[d] * k[j * 64 + d];
        scores[j] = sum * 0.125f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float most = -FLT_MAX, total = 0, value = 0;
    for (uint j = 0; j < n; j++) most = fmax(most, scores[j]);
    for (uint j = 0; j < n; j++) { float p = exp(scores[j] - most); total += p; value += p * v[j * 64 + l]; }
    out[row * 64 + l] = value / total;
}
