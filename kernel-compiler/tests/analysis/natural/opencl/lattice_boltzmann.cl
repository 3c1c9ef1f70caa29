__kernel void lattice_boltzmann(__global const float* src, __global float* dst, uint w, uint h, float omega) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) {
        const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
        const float wt[9] = {4.0f/9, 1.0f/9, 1.0f/9, 1.0f/9, 1.0f/9, 1.0f/36, 1.0f/36, 1.0f/36, 1.0f/36};
        float f[9], rho = 0, ux = 0, uy = 0;
        for (int q = 0; q < 9; q++) {
            uint sx = (uint)((int)x - ex[q] + (int)w) % w, sy = (uint)((int)y - ey[q] + (int)h) % h;
            f[q] = src[(q * h + sy) * w + sx];
            rho += f[q]; ux += f[q] * ex[q]; uy += f[q] * ey[q];
        }
        ux /= rho; uy /= rho;
        float u2 = 1.5f * (ux * ux + uy * uy);
        for (int q = 0; q < 9; q++) {
            float eu = 3.0f * (ex[q] * ux + ey[q] * uy);
            float eq = wt[q] * rho * (1.0f + eu + 0.5f * eu * eu - u2);
            dst[(q * h + y) * w + x] = f[q] + omega * (eq - f[q]);
        }
    }
}
