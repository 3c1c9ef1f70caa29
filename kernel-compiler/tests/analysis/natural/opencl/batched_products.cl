__kernel void batched_products(__global const float* a, __global const float* b, __global float* c, uint n) {
    uint i = get_global_id(0);
    if (i < n / 16) {
        float x[16], y[16];
        for (uint j = 0; j < 16; j++) { x[j] = a[i * 16 + j]; y[j] = b[i * 16 + j]; }
        for (uint row = 0; row < 4; row++) for (uint column = 0; column < 4; column++) {
            float sum = 0;
            for (uint k = 0; k < 4; k++) sum += x[row * 4 + k] * y[k * 4 + column];
            c[i * 16 + row * 4 + column] = sum;
        }
    }
}
