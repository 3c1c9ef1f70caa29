__kernel void stencil_3d(__global const float* x, __global float* y, uint w, uint h, uint d) {
    uint i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i >= 1 && i < w - 1 && j >= 1 && j < h - 1 && k >= 1 && k < d - 1) {
        uint p = (k * h + j) * w + i;
        y[p] = x[p] * 0.4f + 0.1f * (x[p - 1] + x[p + 1] + x[p - w] + x[p + w] + x[p - w * h] + x[p + w * h]);
    }
}
