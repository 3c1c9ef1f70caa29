kernel void im2col(global const float* restrict x, ulong xn, global float* restrict cols, ulong cn, uint c_, uint h_, uint w_) {
    size_t c = c_, h = h_, w = w_, i = get_global_id(0), oh = h - 2, ow = w - 2;
    if (i >= c * 9 * oh * ow) return;
    size_t ox = i % ow, oy = i / ow % oh, k = i / (ow * oh), ch = k / 9, ky = k / 3 % 3, kx = k % 3;
    cols[i] = x[(ch * h + oy + ky) * w + ox + kx];
}
