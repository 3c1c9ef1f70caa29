kernel void knn8(global const float2* points, global const float2* queries, global float* best, global uint* ids, uint np, uint nq) {
    uint q = get_global_id(0);
    if (q < nq) {
        float d[8]; uint id[8];
        for (int i = 0; i < 8; i++) { d[i] = FLT_MAX; id[i] = 0; }
        float2 c = queries[q];
        for (uint k = 0; k < np; k++) {
            float dx = points[k].x - c.x, dy = points[k].y - c.y, dist = dx * dx + dy * dy;
            if (dist < d[7]) {
                int i = 7;
                while (i > 0 && d[i - 1] > dist) { d[i] = d[i - 1]; id[i] = id[i - 1]; i--; }
                d[i] = dist; id[i] = k;
            }
        }
        for (int i = 0; i < 8; i++) { best[q * 8 + i] = d[i]; ids[q * 8 + i] = id[i]; }
    }
}
