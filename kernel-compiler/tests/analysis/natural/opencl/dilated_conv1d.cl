kernel void dilated_conv1d(global const float* x, global const float* w, global const float* bias, global float* y, uint steps, uint channels, uint outputs, uint dilation) {
    uint t = get_global_id(0), o = get_global_id(1);
    if (t < steps && o < outputs) {
        float acc = bias[o];
        for (uint c = 0; c < channels; c++) for (uint k = 0; k < 3; k++) {
            uint back = (2 - k) * dilation;
            if (t >= back) acc += w[(o * channels + c) * 3 + k] * x[c * steps + t - back];
        }
        y[o * steps + t] = fmax(acc, 0.0f);
    }
}
