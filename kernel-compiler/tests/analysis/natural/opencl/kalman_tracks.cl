__kernel void kalman_tracks(__global const float* restrict measured, __global float* restrict positions, uint n, uint steps, float q, float r, float dt) {
    uint track = get_global_id(0);
    if (track >= n / steps) return;
    float x = measured[track * steps], v = 0.0f, p00 = 1.0f, p01 = 0.0f, p11 = 1.0f;
    for (uint t = 0; t < steps; t++) {
        x += dt * v;
        p00 += dt * (2.0f * p01 + dt * p11) + q;
        p01 += dt * p11;
        p11 += q;
        float k = 1.0f / (p00 + r), k0 = p00 * k, k1 = p01 * k, y = measured[track * steps + t] - x;
        x += k0 * y;
        v += k1 * y;
        p11 -= k1 * p01;
        p00 -= k0 * p00;
        p01 -= k0 * p01;
        positions[track * steps + t] = x;
    }
}
