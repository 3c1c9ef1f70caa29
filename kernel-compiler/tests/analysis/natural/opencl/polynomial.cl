kernel void polynomial(global const double* restrict x, ulong n, global const double* restrict c, ulong cn, global double* restrict y, ulong yn) {
    size_t i = get_global_id(0);
    if (i < n) {
        double sum = 0.0;
        for (size_t k = cn; k > 0; k--) sum = sum * x[i] + c[k - 1];
        y[i] = sum;
    }
}
