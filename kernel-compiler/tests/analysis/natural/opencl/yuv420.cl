__kernel void yuv420(__global const uchar* rgb, __global uchar* luma, __global uchar* u, __global uchar* v, uint w, uint h) {
    uint bx = get_global_id(0), by = get_global_id(1);
    if (bx < w / 2 && by < h / 2) {
        int su = 0, sv = 0;
        for (uint j = 0; j < 2; j++) for (uint i = 0; i < 2; i++) {
            uint at = (by * 2 + j) * w + bx * 2 + i;
            int r = rgb[3 * at], g = rgb[3 * at + 1], b = rgb[3 * at + 2];
            luma[at] = (uchar)(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
            su += -38 * r - 74 * g + 112 * b;
            sv += 112 * r - 94 * g - 18 * b;
        }
        u[by * (w / 2) + bx] = (uchar)(((su / 4 + 128) >> 8) + 128);
        v[by * (w / 2) + bx] = (uchar)(((sv / 4 + 128) >> 8) + 128);
    }
}
