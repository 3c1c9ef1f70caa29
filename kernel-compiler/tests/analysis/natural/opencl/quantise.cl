__kernel void quantise(__global const float* x, __global char* q, __global float* scales, uint n) {
    uint block = get_global_id(0);
    if (block < n) {
        __global const float* values = x + block * 32;
        float most = 0;
        for (uint i = 0; i < 32; i++) most = fmax(most, fabs(values[i]));
        float scale = most / 127.0f;
        scales[block] = scale;
        for (uint i = 0; i < 32; i++) q[block * 32 + i] = convert_char_sat(round(values[i] / scale));
    }
}
