kernel void decimate(global const float* x, global const float* taps, global float* y, uint factor, uint n, uint nt) {
    uint i = get_global_id(0);
    if (i < n) { float acc = 0; for (uint k = 0; k < nt; k++) acc += taps[k] * x[i * factor + k]; y[i] = acc; }
}
