__kernel void mel_bands(__global const float* power, __global const uint* starts, __global const float* weights, __global float* out, uint frames, uint bins, uint bands, uint width) {
    uint band = get_global_id(0), frame = get_global_id(1);
    if (band >= bands || frame >= frames) return;
    uint start = starts[band];
    float sum = 0.0f;
    for (uint k = 0; k < width; k++)
        if (start + k < bins) sum += power[frame * bins + start + k] * weights[band * width + k];
    out[frame * bands + band] = log(fmax(sum, 1e-10f));
}
