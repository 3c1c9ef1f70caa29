void f(float p, float v, float* a, float* b) { *a = v; *b = -p - 0.1f * v; }
kernel void rk4(global float2* restrict y, ulong n, float h, uint steps) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    float p = y[i].x, v = y[i].y;
    for (uint s = 0; s < steps; s++) {
        float p1, v1, p2, v2, p3, v3, p4, v4;
        f(p, v, &p1, &v1);
        f(p + 0.5f * h * p1, v + 0.5f * h * v1, &p2, &v2);
        f(p + 0.5f * h * p2, v + 0.5f * h * v2, &p3, &v3);
        f(p + h * p3, v + h * v3, &p4, &v4);
        p += h / 6.0f * (p1 + 2.0f * p2 + 2.0f * p3 + p4);
        v += h / 6.0f * (v1 + 2.0f * v2 + 2.0f * v3 + v4);
    }
    y[i] = (float2)(p, v);
}
