kernel void insertion_top4(global const float* restrict scores, ulong sn, global float4* restrict top, ulong n, uint per_) {
    size_t i = get_global_id(0), per = per_;
    if (i < n) {
        float best[4] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY };
        for (size_t c = 0; c < per; c++) {
            float s = scores[i * per + c];
            if (s > best[3]) {
                best[3] = s;
                for (int k = 3; k > 0 && best[k] > best[k - 1]; k--) {
                    float t = best[k];
                    best[k] = best[k - 1];
                    best[k - 1] = t;
                }
            }
        }
        top[i] = (float4)(best[0], best[1], best[2], best[3]);
    }
}
