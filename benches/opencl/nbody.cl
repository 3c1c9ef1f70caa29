// Bodies that attract each other, by tiles in local memory.
kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void nbody(global const float4 *restrict pos, ulong pos_len, global float4 *restrict vel, ulong vel_len,
           global float4 *restrict out, ulong out_len, float dt, float eps2)
{
    local float4 tile[128];
    size_t g = get_global_id(0), l = get_local_id(0);
    float4 p = pos[g];
    float3 a = (float3)(0.0f);
    for (size_t t = 0; t < pos_len; t += 128) {
        tile[l] = pos[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t j = 0; j < 128; j++) {
            float4 q = tile[j];
            float3 d = q.xyz - p.xyz;
            float inv = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + eps2);
            a += d * (q.w * inv * inv * inv);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 v = vel[g];
    v.xyz += a * dt;
    vel[g] = v;
    out[g] = (float4)(p.xyz + v.xyz * dt, p.w);
}
