kernel void invert3(global const float* m, global float* out, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        global const float* a = m + i * 9; global float* o = out + i * 9;
        float c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
        float inv = 1.0f / (a[0] * c0 + a[1] * c1 + a[2] * c2);
        float a0=a[0],a1=a[1],a2=a[2],a3=a[3],a4=a[4],a5=a[5],a6=a[6],a7=a[7],a8=a[8];
        o[0] = c0 * inv; o[1] = (a2 * a7 - a1 * a8) * inv; o[2] = (a1 * a5 - a2 * a4) * inv;
        o[3] = c1 * inv; o[4] = (a0 * a8 - a2 * a6) * inv; o[5] = (a2 * a3 - a0 * a5) * inv;
        o[6] = c2 * inv; o[7] = (a1 * a6 - a0 * a7) * inv; o[8] = (a0 * a4 - a1 * a3) * inv;
    }
}
