__kernel void yee_electric(__global float* ez, __global const float* hx, __global const float* hy, __global const float* epsilon, uint width, uint height, float dt) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x >= width || y >= height) return;
    uint at = y * width + x;
    float curl = (hy[at] - hy[at - 1]) - (hx[at] - hx[at - width]);
    ez[at] += dt / epsilon[at] * curl;
}
