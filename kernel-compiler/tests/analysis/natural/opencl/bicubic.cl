float weight(float t) { t = fabs(t); if (t < 1.0f) return (1.5f * t - 2.5f) * t * t + 1.0f; if (t < 2.0f) return ((-0.5f * t + 2.5f) * t - 4.0f) * t + 2.0f; return 0.0f; }
kernel void bicubic(global const float* src, global float* dst, uint sw, uint sh, uint dw, uint dh) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= dw || y >= dh) return;
    float fx = ((float)x + 0.5f) * (float)sw / (float)dw - 0.5f, fy = ((float)y + 0.5f) * (float)sh / (float)dh - 0.5f;
    int ix = (int)floor(fx), iy = (int)floor(fy);
    float sum = 0;
    for (int j = -1; j <= 2; j++) {
        float wy = weight(fy - (float)(iy + j));
        int sy = clamp(iy + j, 0, (int)sh - 1);
        for (int i = -1; i <= 2; i++) sum += wy * weight(fx - (float)(ix + i)) * src[sy * (int)sw + clamp(ix + i, 0, (int)sw - 1)];
    }
    dst[y * dw + x] = sum;
}
