// Functions of OpenCL C that other kernels of the tests do not call.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define MAD_SAT(name, type) \
    kernel void name(global const type *a, global const type *b, global const type *c, global type *to) { \
        int i = get_global_id(0); \
        to[i] = mad_sat(a[i], b[i], c[i]); \
    }
MAD_SAT(mad_sat_char, char)
MAD_SAT(mad_sat_uchar, uchar)
MAD_SAT(mad_sat_short, short)
MAD_SAT(mad_sat_ushort, ushort)
MAD_SAT(mad_sat_int, int)
MAD_SAT(mad_sat_uint, uint)
MAD_SAT(mad_sat_long, long)
MAD_SAT(mad_sat_ulong, ulong)

kernel void shuffles(global const uint *from, global uint *to) {
    int i = get_global_id(0);
    uint4 mask = vload4(i, from);
    uint4 low = (uint4)(10, 11, 12, 13), high = (uint4)(20, 21, 22, 23);
    vstore4(shuffle(low, mask), 3 * i, to);
    vstore4(shuffle2(low, high, mask), 3 * i + 1, to);
    uchar16 bytes = (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    uchar2 two = shuffle(bytes, convert_uchar2(mask.xy));
    vstore4((uint4)(two.x, two.y, shuffle(low.xy, mask).w, shuffle2(low.xy, high.xy, mask).z), 3 * i + 2, to);
}

#define REMQUO(name, type) \
    kernel void name(global const type *x, global const type *y, global type *rest, global int *quotient) { \
        int i = get_global_id(0), q; \
        rest[i] = remquo(x[i], y[i], &q); \
        quotient[i] = q; \
    }
REMQUO(remquo_float, float)
REMQUO(remquo_double, double)

kernel void gamma_signs(global const float *x, global const double *y, global float *to, global int *signs) {
    int i = get_global_id(0), sign;
    to[i] = lgamma_r(x[i], &sign);
    signs[2 * i] = sign;
    lgamma_r(y[i], &sign);
    signs[2 * i + 1] = sign;
}

kernel void next_halves(global const half *x, global const half *y, global half *to) {
    int i = get_global_id(0);
    to[i] = nextafter(x[i], y[i]);
}
