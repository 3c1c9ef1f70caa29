// Sums of four values of a function, at steps from each element of x on.
#define FOUR(name, value)                                                                                                           \
    kernel void four_##name(global const float *restrict x, ulong x_len, global float *restrict y, ulong y_len, float step)         \
    {                                                                                                                               \
        size_t i = get_global_id(0);                                                                                                \
        if (i < x_len && i < y_len) {                                                                                               \
            float sum = 0.0f;                                                                                                       \
            for (int k = 0; k < 4; k++) {                                                                                           \
                float at = x[i] + k * step;                                                                                         \
                sum += value;                                                                                                       \
            }                                                                                                                       \
            y[i] = sum;                                                                                                             \
        }                                                                                                                           \
    }

FOUR(exp, exp(at))
FOUR(ln, log(at))
FOUR(sin, sin(at))
FOUR(tan, tan(at * 0.5f))
FOUR(powf, pow(at, at + 0.25f))
FOUR(tanh, tanh(at))
FOUR(atan2, atan2(at, at + 0.25f))
FOUR(erf, erf(at))
