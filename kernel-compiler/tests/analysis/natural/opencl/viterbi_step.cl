__kernel void viterbi_step(__global const float* before, __global const float* transitions, __global const float* emissions, __global const uint* observed,
                           __global float* after, __global uint* from, uint t, uint states) {
    uint s = get_global_id(0);
    if (s < states) {
        float best = -INFINITY;
        uint origin = 0;
        for (uint r = 0; r < states; r++) {
            float p = before[r] + transitions[r * states + s];
            if (p > best) { best = p; origin = r; }
        }
        after[s] = best + emissions[observed[t] * states + s];
        from[t * states + s] = origin;
    }
}
