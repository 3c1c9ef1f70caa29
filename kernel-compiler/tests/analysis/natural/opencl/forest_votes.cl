__kernel void forest_votes(__global const float* points, __global const uint* features, __global const float* thresholds, __global const float* leaves, __global float* out,
                           uint dims, uint depth, uint trees, uint n) {
    uint p = get_global_id(0);
    if (p >= n) return;
    uint nodes = (1u << depth) - 1;
    float sum = 0.0f;
    for (uint tree = 0; tree < trees; tree++) {
        uint node = 0;
        for (uint level = 0; level < depth; level++) {
            uint at = tree * nodes + node;
            node = 2 * node + 1 + (points[p * dims + features[at]] > thresholds[at]);
        }
        sum += leaves[tree * (nodes + 1) + node - nodes];
    }
    out[p] = sum / (float)trees;
}
