__kernel void upwind_step(__global const float* u, __global float* next, float ratio, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        float left = u[(i + n - 1) % n], right = u[(i + 1) % n], own = u[i];
        float slope = own > 0.0f ? own - left : right - own;
        next[i] = own - ratio * own * slope;
    }
}
