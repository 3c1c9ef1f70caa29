__kernel void ray_boxes(__global const float* origins, __global const float* directions, __global const float* boxes, __global uint* hits, uint rays, uint count) {
    uint r = get_global_id(0);
    if (r >= rays) return;
    float nearest = FLT_MAX;
    uint hit = 0xffffffffu;
    for (uint b = 0; b < count; b++) {
        float enter = 0.0f, leave = nearest;
        for (uint axis = 0; axis < 3; axis++) {
            float o = origins[3 * r + axis], d = directions[3 * r + axis];
            float t0 = (boxes[6 * b + axis] - o) / d, t1 = (boxes[6 * b + axis + 3] - o) / d;
            enter = fmax(enter, fmin(t0, t1));
            leave = fmin(leave, fmax(t0, t1));
        }
        if (enter <= leave) { nearest = enter; hit = b; }
    }
    hits[r] = hit;
}
