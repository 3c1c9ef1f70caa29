__kernel void haar_step(__global const float* x, __global float* low, __global float* high, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        float a = x[2 * i], b = x[2 * i + 1];
        low[i] = (a + b) * 0.70710678f;
        high[i] = (a - b) * 0.70710678f;
    }
}
