kernel void lu6(global float* a, uint n) {
    uint s = get_global_id(0);
    if (s < n) {
        global float* m = a + s * 36;
        float l[6][6];
        for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) l[i][j] = m[i * 6 + j];
        for (int k = 0; k < 6; k++) for (int i = k + 1; i < 6; i++) { l[i][k] /= l[k][k]; for (int j = k + 1; j < 6; j++) l[i][j] -= l[i][k] * l[k][j]; }
        for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) m[i * 6 + j] = l[i][j];
    }
}
