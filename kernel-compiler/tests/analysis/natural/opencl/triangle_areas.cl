__kernel void triangle_areas(__global const float* points, __global const uint* corners, __global float* areas, uint n) {
    uint t = get_global_id(0);
    if (t < n) {
        uint a = 3 * corners[3 * t], b = 3 * corners[3 * t + 1], c = 3 * corners[3 * t + 2];
        float ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
        float vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
        float x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
        areas[t] = 0.5f * sqrt(x * x + y * y + z * z);
    }
}
