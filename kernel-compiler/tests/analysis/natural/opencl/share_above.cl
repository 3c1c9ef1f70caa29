kernel void share_above(global const float* x, global float* y, uint width, float limit, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        uint count = 0;
        for (uint k = 0; k < width; k++)
            if (x[i * width + k] > limit) count++;
        y[i] = (float)count / (float)width;
    }
}
