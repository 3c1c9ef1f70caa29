kernel void downsample_rgba(global const uint* src, global uint* dst, uint width, uint height) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < width / 2 && y < height / 2) {
        uint s[4] = {0, 0, 0, 0};
        for (uint dy = 0; dy < 2; dy++) for (uint dx = 0; dx < 2; dx++) { uint p = src[(2 * y + dy) * width + 2 * x + dx]; for (uint c = 0; c < 4; c++) s[c] += (p >> (8 * c)) & 255; }
        uint packed = 0;
        for (uint c = 0; c < 4; c++) packed |= ((s[c] + 2) / 4) << (8 * c);
        dst[y * (width / 2) + x] = packed;
    }
}
