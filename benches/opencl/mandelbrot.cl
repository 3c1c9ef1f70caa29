// The steps until each point of the plane is far away.
kernel void mandelbrot(global uint *restrict out, ulong out_len, uint w, uint h, uint limit)
{
    size_t column = get_global_id(0), row = get_global_id(1);
    if (column < w && row < h) {
        float cx = 3.0f * ((float)column / (float)w) - 2.0f, cy = 2.0f * ((float)row / (float)h) - 1.0f;
        float x = 0.0f, y = 0.0f;
        uint steps = 0;
        while (steps < limit && x * x + y * y <= 4.0f) {
            float next = x * x - y * y + cx;
            y = 2.0f * x * y + cy;
            x = next;
            steps++;
        }
        out[row * w + column] = steps;
    }
}
