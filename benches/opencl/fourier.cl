// The discrete Fourier transforms of rows of eight complex numbers, by radix two.
kernel void fourier(global const float *restrict x, ulong x_len, global float *restrict y, ulong y_len)
{
    size_t i = get_global_id(0);
    if (i >= x_len || i >= y_len)
        return;
    float re[8], im[8];
    for (int k = 0; k < 8; k++) {
        int from = (k & 1) << 2 | (k & 2) | k >> 2;
        re[k] = x[16 * i + 2 * from];
        im[k] = x[16 * i + 2 * from + 1];
    }
    const float cosines[4] = {1.0f, M_SQRT1_2_F, 0.0f, -M_SQRT1_2_F};
    for (int half_size = 1; half_size < 8; half_size *= 2)
        for (int start = 0; start < 8; start += 2 * half_size)
            for (int k = 0; k < half_size; k++) {
                int turn = k * (4 / half_size);
                float c = cosines[turn], s = -cosines[turn < 2 ? 2 - turn : turn - 2];
                int a = start + k, b = start + k + half_size;
                float r = re[b] * c - im[b] * s, m = re[b] * s + im[b] * c;
                re[b] = re[a] - r;
                im[b] = im[a] - m;
                re[a] += r;
                im[a] += m;
            }
    for (int k = 0; k < 8; k++) {
        y[16 * i + 2 * k] = re[k];
        y[16 * i + 2 * k + 1] = im[k];
    }
}
