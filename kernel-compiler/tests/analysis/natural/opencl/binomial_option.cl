__kernel void binomial_option(__global const float* spots, __global const float* strikes, __global float* prices, float up, float chance, float discount, uint n) {
    uint i = get_global_id(0);
    if (i >= n) return;
    float values[33];
    float price = spots[i];
    for (int j = 0; j < 32; j++) price /= up;
    for (int j = 0; j < 33; j++) {
        values[j] = fmax(price - strikes[i], 0.0f);
        price *= up * up;
    }
    for (int step = 31; step >= 0; step--)
        for (int j = 0; j <= step; j++) values[j] = discount * (chance * values[j + 1] + (1.0f - chance) * values[j]);
    prices[i] = values[0];
}
