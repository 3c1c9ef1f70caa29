__kernel void median(__global const uchar* image, __global uchar* out, uint w, uint h) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x + 1 >= w || y + 1 >= h) return;
    uchar v[9];
    for (uint j = 0; j < 3; j++) for (uint i = 0; i < 3; i++) v[j * 3 + i] = image[(y + j - 1) * w + x + i - 1];
    for (uint a = 0; a < 5; a++) for (uint b = a + 1; b < 9; b++)
        if (v[b] < v[a]) { uchar t = v[a]; v[a] = v[b]; v[b] = t; }
    out[y * w + x] = v[4];
}
