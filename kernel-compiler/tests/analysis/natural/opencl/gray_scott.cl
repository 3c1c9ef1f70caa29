kernel void gray_scott(global const float* u, global const float* v, global float* un, global float* vn, uint width, uint height, float feed, float kill) {
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    uint left = x > 0 ? x - 1 : width - 1, right = x + 1 < width ? x + 1 : 0;
    uint up = y > 0 ? y - 1 : height - 1, down = y + 1 < height ? y + 1 : 0;
    uint i = y * width + x;
    float lu = u[y * width + left] + u[y * width + right] + u[up * width + x] + u[down * width + x] - 4.0f * u[i];
    float lv = v[y * width + left] + v[y * width + right] + v[up * width + x] + v[down * width + x] - 4.0f * v[i];
    float uvv = u[i] * v[i] * v[i];
    un[i] = u[i] + 0.16f * lu - uvv + feed * (1.0f - u[i]);
    vn[i] = v[i] + 0.08f * lv + uvv - (feed + kill) * v[i];
}
