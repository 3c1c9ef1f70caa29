__kernel void scatter(__global const uint* keys, __global const float* values, __global uint* positions, __global float* out, uint n) {
    uint i = get_global_id(0);
    if (i < n) { uint at = atomic_inc(&positions[keys[i]]); out[at] = values[i]; }
}
