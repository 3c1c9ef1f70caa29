__kernel void rotate_image(__global const float* source, __global float* out, uint width, uint height, float c, float s) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float cx = (float)width * 0.5f, cy = (float)height * 0.5f, dx = (float)x - cx, dy = (float)y - cy;
    float sx = c * dx + s * dy + cx, sy = c * dy - s * dx + cy, value = 0.0f;
    if (sx >= 0.0f && sy >= 0.0f && sx < (float)(width - 1) && sy < (float)(height - 1)) {
        uint ix = (uint)sx, iy = (uint)sy;
        float fx = sx - (float)ix, fy = sy - (float)iy;
        float top = source[iy * width + ix] * (1.0f - fx) + source[iy * width + ix + 1] * fx;
        float bottom = source[(iy + 1) * width + ix] * (1.0f - fx) + source[(iy + 1) * width + ix + 1] * fx;
        value = top * (1.0f - fy) + bottom * fy;
    }
    out[y * width + x] = value;
}
