kernel void composite(global const float4* dc, global float* out, uint layers, uint pixels) {
    uint p = get_global_id(0);
    if (p < pixels) {
        float t = 1, r = 0, g = 0, b = 0;
        for (uint l = 0; l < layers; l++) {
            float4 c = dc[l * pixels + p];
            r += t * c.w * c.x; g += t * c.w * c.y; b += t * c.w * c.z;
            t *= 1.0f - c.w;
            if (t < 0.001f) break;
        }
        out[3 * p] = r; out[3 * p + 1] = g; out[3 * p + 2] = b;
    }
}
