__kernel void sobel(__global const float* image, __global float* edges, uint w, uint h) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) {
        if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { edges[y * w + x] = 0; return; }
        float gx = 0, gy = 0;
        for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) {
            float p = image[(y + j - 1) * w + x + i - 1];
            float kx = ((float)i - 1.0f) * (j == 1 ? 2.0f : 1.0f), ky = ((float)j - 1.0f) * (i == 1 ? 2.0f : 1.0f);
            gx += p * kx; gy += p * ky;
        }
        edges[y * w + x] = sqrt(gx * gx + gy * gy);
    }
}
