__kernel void embedding_bag(__global const float* table, __global const uint* tokens, __global const uint* offsets, __global float* out, uint dim, uint bags) {
    uint c = get_global_id(0), bag = get_global_id(1);
    if (c < dim && bag < bags) {
        float sum = 0;
        for (uint t = offsets[bag]; t < offsets[bag + 1]; t++) sum += table[tokens[t] * dim + c];
        out[bag * dim + c] = sum;
    }
}
