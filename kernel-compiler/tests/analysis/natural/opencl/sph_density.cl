int rem_euclid(int a, int b) { int r = a % b; return r < 0 ? r + (b < 0 ? -b : b) : r; }
__kernel void sph_density(__global const float4* pos, __global const uint* start, __global float* density, int cells, float r, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        float4 p = pos[i];
        int cx = (int)(p.x / r), cy = (int)(p.y / r), cz = (int)(p.z / r);
        float sum = 0;
        for (int dz = -1; dz <= 1; dz++) for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) {
            int x = rem_euclid(cx + dx, cells), y = rem_euclid(cy + dy, cells), z = rem_euclid(cz + dz, cells);
            int c = (z * cells + y) * cells + x;
            for (uint j = start[c]; j < start[c + 1]; j++) {
                float4 q = pos[j];
                float d2 = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
                if (d2 < r * r) { float t = r * r - d2; sum += q.w * t * t * t; }
            }
        }
        density[i] = sum;
    }
}
