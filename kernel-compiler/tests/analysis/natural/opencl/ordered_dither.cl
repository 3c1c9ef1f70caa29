__constant uchar BAYER[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
__kernel void ordered_dither(__global const uchar* gray, __global uchar* bits, uint width, uint height) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        uchar threshold = BAYER[y % 4 * 4 + x % 4] * 16 + 8;
        bits[y * width + x] = gray[y * width + x] > threshold ? 255 : 0;
    }
}
