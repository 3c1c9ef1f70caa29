__kernel void floyd_step(__global const uint* from, __global uint* to, uint n, uint k) {
    uint j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        uint through = add_sat(from[i * n + k], from[k * n + j]);
        to[i * n + j] = min(from[i * n + j], through);
    }
}
