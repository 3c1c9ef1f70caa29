__kernel void linear_i8(__global const char* x, __global const char* weights, __global const int* bias, __global char* out, uint inputs, uint outputs, uint rows,
                        float scale, int zero) {
    uint o = get_global_id(0), row = get_global_id(1);
    if (o >= outputs || row >= rows) return;
    int sum = bias[o];
    for (uint k = 0; k < inputs; k++) sum += ((int)x[row * inputs + k] - zero) * (int)weights[o * inputs + k];
    out[row * outputs + o] = convert_char_sat(round((float)sum * scale));
}
