// A convolution with five by five weights, whose borders are left alone.
kernel void convolution(global const float *restrict x, ulong x_len, global const float *restrict weights, ulong weights_len,
                        global float *restrict y, ulong y_len, uint width, uint height)
{
    size_t w = width, h = height, i = get_global_id(0), j = get_global_id(1);
    if (i >= 2 && j >= 2 && i + 2 < w && j + 2 < h) {
        float sum = 0.0f;
        for (size_t dy = 0; dy < 5; dy++)
            for (size_t dx = 0; dx < 5; dx++)
                sum += weights[dy * 5 + dx] * x[(j + dy - 2) * w + i + dx - 2];
        y[j * w + i] = sum;
    }
}
