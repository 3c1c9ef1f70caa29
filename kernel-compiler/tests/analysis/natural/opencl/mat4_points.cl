kernel void mat4_points(global const float* restrict m, global float4* restrict points, ulong n) {
    size_t i = get_global_id(0);
    if (i < n) {
        float v[4] = { points[i].x, points[i].y, points[i].z, points[i].w }, p[4];
        for (int r = 0; r < 4; r++) {
            float sum = 0.0f;
            for (int c = 0; c < 4; c++) sum += m[4 * r + c] * v[c];
            p[r] = sum;
        }
        points[i] = (float4)(p[0], p[1], p[2], p[3]);
    }
}
