__kernel void k_means(__global const float* points, __global const float* centers, __global uint* nearest, uint dim, uint k, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        float best = FLT_MAX; uint found = 0;
        for (uint c = 0; c < k; c++) {
            float distance = 0;
            for (uint d = 0; d < dim; d++) { float e = points[i * dim + d] - centers[c * dim + d]; distance += e * e; }
            if (distance < best) { best = distance; found = c; }
        }
        nearest[i] = found;
    }
}
