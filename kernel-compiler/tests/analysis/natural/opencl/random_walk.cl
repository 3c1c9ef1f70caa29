__kernel void random_walk(__global float* ends, uint steps, ulong seed, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        ulong state = (seed + i) * 0x9e3779b97f4a7c15ul;
        float position = 0;
        for (uint k = 0; k < steps; k++) {
            state = state * 6364136223846793005ul + 1442695040888963407ul;
            uint bits = (uint)(state >> 32);
            position += (float)bits * (2.0f / 4294967296.0f) - 1.0f;
        }
        ends[i] = position;
    }
}
