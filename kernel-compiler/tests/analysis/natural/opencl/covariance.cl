__kernel void covariance(__global const float* samples, __global const float* means, __global float* out, uint features, uint n) {
    uint i = get_global_id(0), j = get_global_id(1);
    if (i < features && j < features) {
        uint count = n / features;
        float sum = 0.0f;
        for (uint r = 0; r < count; r++) {
            __global const float* row = samples + r * features;
            sum += (row[i] - means[i]) * (row[j] - means[j]);
        }
        out[j * features + i] = sum / (float)(count - 1);
    }
}
