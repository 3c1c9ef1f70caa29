__kernel void non_maximum(__global const float* magnitude, __global const uchar* direction, __global float* out, uint w, uint h) {
    uint x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (x < w - 1 && y < h - 1) {
        uint at = y * w + x; int dx, dy;
        switch (direction[at]) { case 0: dx = 1; dy = 0; break; case 1: dx = 1; dy = 1; break; case 2: dx = 0; dy = 1; break; default: dx = -1; dy = 1; }
        float one = magnitude[((int)y + dy) * (int)w + (int)x + dx], other = magnitude[((int)y - dy) * (int)w + (int)x - dx], m = magnitude[at];
        out[at] = (m >= one && m >= other) ? m : 0.0f;
    }
}
