__kernel void bfs_step(__global const uint* offsets, __global const uint* targets, __global uint* level, __global uint* changed, uint depth, uint n) {
    uint v = get_global_id(0);
    if (v < n && level[v] == depth) {
        for (uint e = offsets[v]; e < offsets[v + 1]; e++) {
            uint t = targets[e];
            if (level[t] == 0xffffffffu) { level[t] = depth + 1; *changed = 1; }
        }
    }
}
