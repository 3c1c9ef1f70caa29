__kernel void catmull_rom(__global const float* points, __global float* out, uint points_len, uint out_len, uint per_segment) {
    uint i = get_global_id(0);
    if (i >= out_len) return;
    uint segment = i / per_segment, step = i % per_segment;
    float t = (float)step / (float)per_segment;
    uint last = points_len - 1;
    float p0 = points[segment > 0 ? segment - 1 : 0];
    float p1 = points[min(segment, last)];
    float p2 = points[min(segment + 1, last)];
    float p3 = points[min(segment + 2, last)];
    float a = 2.0f * p1, b = p2 - p0, c = 2.0f * p0 - 5.0f * p1 + 4.0f * p2 - p3, d = 3.0f * (p1 - p2) + p3 - p0;
    out[i] = 0.5f * (a + (b + (c + d * t) * t) * t);
}
