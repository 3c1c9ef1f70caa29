// Points that fall on a floor.
typedef struct {
    float gravity[3];
    float dt, damping, floor_y;
    uint n, pad;
} Params;

kernel void struct_params(global float4 *restrict pos, ulong pos_len, global float4 *restrict vel, ulong vel_len, Params p)
{
    size_t i = get_global_id(0);
    if (i < p.n) {
        float4 x = pos[i], v = vel[i];
        v.x += p.gravity[0] * p.dt;
        v.y += p.gravity[1] * p.dt;
        v.z += p.gravity[2] * p.dt;
        x.xyz += v.xyz * p.dt;
        if (x.y < p.floor_y) {
            x.y = 2.0f * p.floor_y - x.y;
            v.y = -p.damping * v.y;
        }
        pos[i] = x;
        vel[i] = v;
    }
}
