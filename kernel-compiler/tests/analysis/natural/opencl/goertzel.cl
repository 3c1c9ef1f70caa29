__kernel void goertzel(__global const float* samples, __global const float* coefficients, __global float* powers, uint n, uint count) {
    uint f = get_global_id(0);
    if (f < count) {
        float c = coefficients[f], s1 = 0.0f, s2 = 0.0f;
        for (uint i = 0; i < n; i++) { float s = samples[i] + c * s1 - s2; s2 = s1; s1 = s; }
        powers[f] = s1 * s1 + s2 * s2 - c * s1 * s2;
    }
}
