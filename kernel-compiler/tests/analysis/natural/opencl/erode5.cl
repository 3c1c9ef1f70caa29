kernel void erode5(global const uchar* src, global uchar* dst, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        uchar least = 255;
        for (int dy = -2; dy <= 2; dy++) for (int dx = -2; dx <= 2; dx++)
            least = min(least, src[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)]);
        dst[y * width + x] = least;
    }
}
