__kernel void label_edges(__global const uint* restrict edges, __global uint* restrict labels, __global uint* restrict changed, uint n) {
    uint e = get_global_id(0);
    if (e < n / 2) {
        uint u = edges[2 * e], v = edges[2 * e + 1], a = labels[u], b = labels[v];
        if (a < b) { atomic_min(&labels[v], a); *changed = 1; }
        else if (b < a) { atomic_min(&labels[u], b); *changed = 1; }
    }
}
