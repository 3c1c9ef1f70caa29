__kernel void box_from_sums(__global const float* sums, __global float* out, uint width, uint height, uint radius) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    uint stride = width + 1;
    uint left = x > radius ? x - radius : 0, right = min(x + radius + 1, width);
    uint top = y > radius ? y - radius : 0, bottom = min(y + radius + 1, height);
    float sum = sums[bottom * stride + right] - sums[bottom * stride + left] - sums[top * stride + right] + sums[top * stride + left];
    out[y * width + x] = sum / (float)((right - left) * (bottom - top));
}
