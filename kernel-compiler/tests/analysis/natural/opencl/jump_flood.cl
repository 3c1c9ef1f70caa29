__kernel void jump_flood(__global const uint* from, __global uint* to, uint width, uint height, uint step) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    uint best = 0xffffffffu;
    float nearest = MAXFLOAT;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int nx = (int)x + dx * (int)step, ny = (int)y + dy * (int)step;
            if (nx < 0 || ny < 0 || nx >= (int)width || ny >= (int)height) continue;
            uint seed = from[(uint)ny * width + (uint)nx];
            if (seed == 0xffffffffu) continue;
            float rx = (float)(seed % width) - (float)x, ry = (float)(seed / width) - (float)y;
            float distance = rx * rx + ry * ry;
            if (distance < nearest) {
                nearest = distance;
                best = seed;
            }
        }
    to[y * width + x] = best;
}
