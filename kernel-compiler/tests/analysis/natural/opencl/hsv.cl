kernel void hsv(global const uchar4* restrict pixels, ulong n, global float* restrict hue, ulong hn) {
    size_t i = get_global_id(0);
    if (i >= n) return;
    float r = (float)pixels[i].x / 255.0f, g = (float)pixels[i].y / 255.0f, b = (float)pixels[i].z / 255.0f;
    float most = fmax(fmax(r, g), b), least = fmin(fmin(r, g), b), d = most - least, h;
    if (d == 0.0f) h = 0.0f;
    else if (most == r) { h = fmod((g - b) / d, 6.0f); if (h < 0.0f) h += 6.0f; }
    else if (most == g) h = (b - r) / d + 2.0f;
    else h = (r - g) / d + 4.0f;
    hue[i] = h * 60.0f;
}
