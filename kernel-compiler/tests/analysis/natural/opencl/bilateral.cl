__kernel void bilateral(__global const float* image, __global float* out, uint w, uint h, float spatial, float tonal) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    float center = image[y * w + x], sum = 0, total = 0;
    for (uint j = y < 3 ? 0 : y - 3; j < min(y + 4, h); j++)
        for (uint i = x < 3 ? 0 : x - 3; i < min(x + 4, w); i++) {
            float dx = (float)i - (float)x, dy = (float)j - (float)y;
            float value = image[j * w + i], d = value - center;
            float weight = exp(-(dx * dx + dy * dy) * spatial - d * d * tonal);
            sum += weight * value;
            total += weight;
        }
    out[y * w + x] = sum / total;
}
