float cdf(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float tail = 0.3989423f * exp(-0.5f * d * d) * (k * (0.31938154f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302744f)))));
    return d > 0 ? 1.0f - tail : tail;
}
__kernel void black_scholes(__global const float* price, __global const float* strike, __global const float* years, __global float* call, __global float* put, float r, float v, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
        float d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
        float n1 = cdf(d1), n2 = cdf(d2), discounted = x * exp(-r * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
