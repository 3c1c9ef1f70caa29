// No loops: whatever is changed about it, it ends.
kernel void straight(global float *p, uint shift) {
    local float tile[40];
    uint id = (uint)get_global_id(0), l = (uint)get_local_id(0);
    float4 v = (float4)(p[id], p[id + 1], (float)l, 2.0f);
    tile[l] = v.x * v.y;
    barrier(CLK_LOCAL_MEM_FENCE);
    float words[4] = {v.w, tile[39 - l], (float)(id << shift), sin(v.z)};
    if (l > 20)
        p[id] = words[(id >> 1) & 3] + words[l & 3];
    else
        atomic_add((volatile global uint *)p + id, id / (l + 1));
}
