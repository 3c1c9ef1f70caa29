__kernel void cholesky(__global float* a, uint n) {
    uint b = get_global_id(0);
    if (b < n) {
        __global float* m = a + b * 36;
        for (int j = 0; j < 6; j++) {
            float d = m[j * 6 + j];
            for (int k = 0; k < j; k++) d -= m[j * 6 + k] * m[j * 6 + k];
            d = sqrt(d);
            m[j * 6 + j] = d;
            for (int i = j + 1; i < 6; i++) {
                float s = m[i * 6 + j];
                for (int k = 0; k < j; k++) s -= m[i * 6 + k] * m[j * 6 + k];
                m[i * 6 + j] = s / d;
            }
        }
    }
}
