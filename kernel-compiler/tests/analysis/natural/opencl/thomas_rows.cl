__kernel void thomas_rows(__global const float* restrict a, __global const float* restrict b, __global const float* restrict c, __global const float* restrict d,
                          __global float* restrict work, __global float* restrict x, uint n, uint rows) {
    uint row = get_global_id(0);
    if (row >= rows) return;
    uint base = row * n;
    float cp = c[base] / b[base], dp = d[base] / b[base];
    work[base] = cp;
    x[base] = dp;
    for (uint k = 1; k < n; k++) {
        float m = 1.0f / (b[base + k] - a[base + k] * cp);
        cp = c[base + k] * m;
        dp = (d[base + k] - a[base + k] * dp) * m;
        work[base + k] = cp;
        x[base + k] = dp;
    }
    for (uint k = n - 1; k-- > 0;) x[base + k] = x[base + k] - work[base + k] * x[base + k + 1];
}
