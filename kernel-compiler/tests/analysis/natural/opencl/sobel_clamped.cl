int at(global const uchar* restrict src, int x, int y, int w, int h) {
    return src[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)];
}
kernel void sobel_clamped(global const uchar* restrict src, ulong sn, global uchar* restrict dst, ulong dn, uint width, uint height) {
    int w = width, h = height, x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
#define AT(dx, dy) at(src, x + dx, y + dy, w, h)
    int gx = AT(1, -1) + 2 * AT(1, 0) + AT(1, 1) - AT(-1, -1) - 2 * AT(-1, 0) - AT(-1, 1);
    int gy = AT(-1, 1) + 2 * AT(0, 1) + AT(1, 1) - AT(-1, -1) - 2 * AT(0, -1) - AT(1, -1);
    dst[y * w + x] = min((int)(abs(gx) + abs(gy)), 255);
}
