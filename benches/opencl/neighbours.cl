// The number of the nearest of all points in space, for each of some others.
kernel void neighbours(global const float4 *restrict points, ulong points_len, global const float4 *restrict queries, ulong queries_len,
                       global uint *restrict nearest, ulong nearest_len)
{
    size_t i = get_global_id(0);
    if (i < queries_len && i < nearest_len) {
        float4 query = queries[i];
        uint best = 0;
        float least = INFINITY;
        for (size_t k = 0; k < points_len; k++) {
            float4 d = points[k] - query;
            float distance = d.x * d.x + d.y * d.y + d.z * d.z;
            if (distance < least) {
                least = distance;
                best = k;
            }
        }
        nearest[i] = best;
    }
}
