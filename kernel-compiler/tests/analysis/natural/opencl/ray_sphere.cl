kernel void ray_sphere(global const float* restrict origins, ulong on, global const float* restrict dirs, ulong dn, global float* restrict t, ulong n, float cx, float cy, float cz, float radius) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    float ox = origins[3 * i] - cx, oy = origins[3 * i + 1] - cy, oz = origins[3 * i + 2] - cz;
    float b = ox * dirs[3 * i] + oy * dirs[3 * i + 1] + oz * dirs[3 * i + 2];
    float c = ox * ox + oy * oy + oz * oz - radius * radius, disc = b * b - c;
    t[i] = disc < 0.0f ? INFINITY : -b - sqrt(disc);
}
