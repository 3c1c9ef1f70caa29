__kernel void fft_step(__global const float* re_in, __global const float* im_in, __global float* re_out, __global float* im_out, uint p, uint n) {
    uint i = get_global_id(0), half_n = n / 2;
    if (i < half_n) {
        uint k = i % p;
        float angle = -3.1415927f * (float)k / (float)p;
        float s = sin(angle), c = cos(angle);
        float ar = re_in[i], ai = im_in[i], br = re_in[i + half_n], bi = im_in[i + half_n];
        float tr = br * c - bi * s, ti = br * s + bi * c;
        uint j = 2 * i - k;
        re_out[j] = ar + tr; im_out[j] = ai + ti; re_out[j + p] = ar - tr; im_out[j + p] = ai - ti;
    }
}
