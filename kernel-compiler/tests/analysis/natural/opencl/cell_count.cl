__kernel void cell_count(__global const float2* pos, __global uint* counts, uint w, uint h, float scale, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        uint x = min((uint)(pos[i].x * scale), w - 1), y = min((uint)(pos[i].y * scale), h - 1);
        atomic_inc(&counts[y * w + x]);
    }
}
