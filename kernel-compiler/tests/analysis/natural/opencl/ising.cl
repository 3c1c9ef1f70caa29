kernel void ising(global int* spins, uint rows, uint cols, uint parity, uint seed, float beta) {
    uint c = get_global_id(0), r = get_global_id(1);
    if (r >= rows || c >= cols || (r + c) % 2 != parity) return;
    uint i = r * cols + c;
    int sum = spins[r * cols + (c + 1) % cols] + spins[r * cols + (c + cols - 1) % cols] + spins[((r + 1) % rows) * cols + c] + spins[((r + rows - 1) % rows) * cols + c];
    uint h = i * 747796405u + seed;
    h = ((h >> ((h >> 28) + 4)) ^ h) * 277803737u;
    h = (h >> 22) ^ h;
    float uniform_ = (float)(h >> 8) / 16777216.0f;
    float de = 2.0f * (float)(spins[i] * sum);
    if (uniform_ < exp(-beta * de)) spins[i] = -spins[i];
}
