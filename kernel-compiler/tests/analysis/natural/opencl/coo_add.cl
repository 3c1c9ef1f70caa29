kernel void coo_add(global const uint* rows, global const uint* cols, global const uint* values, global uint* dense, uint width, uint n) {
    uint i = get_global_id(0);
    if (i < n) atomic_add(&dense[rows[i] * width + cols[i]], values[i]);
}
