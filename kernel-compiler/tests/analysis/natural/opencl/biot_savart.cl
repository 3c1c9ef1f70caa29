__kernel void biot_savart(__global const float* points, __global const float* segments, __global float* field, float current, uint n, uint count) {
    uint i = get_global_id(0);
    if (i < n) {
        float px = points[3 * i], py = points[3 * i + 1], pz = points[3 * i + 2], bx = 0.0f, by = 0.0f, bz = 0.0f;
        for (uint k = 0; k < count; k++) {
            __global const float* s = segments + 6 * k;
            float dx = s[3] - s[0], dy = s[4] - s[1], dz = s[5] - s[2];
            float rx = px - 0.5f * (s[0] + s[3]), ry = py - 0.5f * (s[1] + s[4]), rz = pz - 0.5f * (s[2] + s[5]);
            float d2 = rx * rx + ry * ry + rz * rz + 1e-9f, inverse = current / (d2 * sqrt(d2));
            bx += (dy * rz - dz * ry) * inverse;
            by += (dz * rx - dx * rz) * inverse;
            bz += (dx * ry - dy * rx) * inverse;
        }
        field[3 * i] = bx;
        field[3 * i + 1] = by;
        field[3 * i + 2] = bz;
    }
}
