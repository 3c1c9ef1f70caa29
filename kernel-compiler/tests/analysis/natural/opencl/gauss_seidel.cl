__kernel void gauss_seidel(__global float* u, __global const float* f, uint n, uint color, float h2) {
    uint x = get_global_id(0) * 2 + (get_global_id(1) + color) % 2, y = get_global_id(1);
    if (x >= 1 && y >= 1 && x < n - 1 && y < n - 1) {
        uint at = y * n + x;
        u[at] = 0.25f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] - h2 * f[at]);
    }
}
