// Kernels that call functions which are written in Rust.

float rust_scale(float x, float y);
float rust_horner(float x, const global float *coefficients, size_t count);
uint rust_ranked(float x);
long rust_checksum(const global ulong *data, ulong count, size_t start);
void rust_bump(global int *x, int by);
float4 rust_blended(float4 a, float3 b, int2 c);
char rust_narrow(char a, uchar b, short c, ushort d, bool negate);
bool rust_is_odd(uchar x);

kernel void polynomials(global const float *coefficients, ulong count, global float *x, global uint *ranks) {
    size_t i = get_global_id(0);
    float value = rust_horner(x[i], coefficients, count);
    ranks[i] = rust_ranked(value);
    x[i] = rust_scale(value, 0.5f);
}

kernel void mixed(global const ulong *data, ulong count, global int *x, global long *sums, global float4 *vectors, global char *small) {
    size_t i = get_global_id(0);
    if (i % 3 != 1)
        rust_bump(x + i, 100 - (int)i);
    sums[i] = rust_checksum(data, count - i, i & 3);
    vectors[i] = rust_blended(vectors[i], vectors[i].xyz, (int2)((int)i, x[i]));
    char c = small[i];
    small[i] = rust_narrow(c, (uchar)(c * 5), (short)(c * 300), (ushort)(c * 700), rust_is_odd((uchar)c));
}
