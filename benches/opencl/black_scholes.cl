// The prices of calls and puts by Black and Scholes.
float normal(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.398942280f * exp(-0.5f * x * x) * sum;
    return x < 0.0f ? tail : 1.0f - tail;
}

kernel void black_scholes(global const float *restrict price, ulong price_len, global const float *restrict strike, ulong strike_len,
                          global const float *restrict years, ulong years_len, global float *restrict call, ulong call_len,
                          global float *restrict put, ulong put_len)
{
    size_t i = get_global_id(0);
    if (i < price_len) {
        float rate = 0.02f, volatility = 0.3f, t = years[i], root = sqrt(t);
        float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root;
        float discounted = strike[i] * exp(-rate * t);
        float value = price[i] * normal(d1) - discounted * normal(d2);
        call[i] = value;
        put[i] = value - price[i] + discounted;
    }
}
