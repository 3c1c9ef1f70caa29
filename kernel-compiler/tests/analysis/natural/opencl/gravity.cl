kernel void gravity(global const float* restrict pos, ulong n, global const float* restrict mass, ulong mn, global float* restrict acc, ulong an) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    float px = pos[3 * i], py = pos[3 * i + 1], pz = pos[3 * i + 2], ax = 0.0f, ay = 0.0f, az = 0.0f;
    size_t count = min(n, mn);
    for (size_t k = 0; k < count; k++) {
        float dx = pos[3 * k] - px, dy = pos[3 * k + 1] - py, dz = pos[3 * k + 2] - pz;
        float r2 = dx * dx + dy * dy + dz * dz + 1e-6f, f = mass[k] / (r2 * sqrt(r2));
        ax += f * dx; ay += f * dy; az += f * dz;
    }
    acc[3 * i] = ax; acc[3 * i + 1] = ay; acc[3 * i + 2] = az;
}
