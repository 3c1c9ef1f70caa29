// For each point of four coordinates, the nearest of sixteen centres.
kernel void assign(global const float *restrict points, ulong points_len, global const float *restrict centres, ulong centres_len,
                   global uint *restrict nearest, ulong nearest_len)
{
    size_t i = get_global_id(0);
    if (i < points_len && i < nearest_len) {
        float point[4];
        for (int k = 0; k < 4; k++)
            point[k] = points[4 * i + k];
        uint best = 0;
        float least = INFINITY;
        for (size_t number = 0; number < centres_len; number++) {
            float distance = 0.0f;
            for (int k = 0; k < 4; k++) {
                float d = point[k] - centres[4 * number + k];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                best = number;
            }
        }
        nearest[i] = best;
    }
}
