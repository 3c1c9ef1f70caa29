// Functions that kernels written in Rust import: one for each way in which a value can be passed.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef global float *Row;

float gamma_of(float x, const global float *table) { return x * table[(int)x & 3] + 0.5f; }

// No result, and a store.
void bump(global int *x, int by) { *x += by; }

// Narrower than an int: who calls says how these are extended.
char narrow(char a, uchar b, short c, ushort d, bool negate) {
    int sum = a / 2 + b / 2 + c / 256 + d / 256;
    return negate ? -sum : sum;
}

bool is_odd(uchar x) { return (x & 1) != 0; }

ushort widest(ushort a, ushort b) { return a > b ? a : b; }

long scaled(long x, ulong by, size_t less) { return x * (long)by - (long)less; }

half doubled(half x) { return x + x; }

float4 mixed(float4 a, float3 b, int2 c) { return a * (float4)(b, 1.0f) + (float4)(c.x, c.y, c.x, c.y); }

uchar16 reversed(uchar16 x) { return x.sfedcba9876543210; }

// An address in, an address out.
Row row(Row x, size_t width, size_t i) { return x + width * i; }

global float4 *vectors(global uchar *bytes, size_t offset) { return (global float4 *)(bytes + offset); }

// What differs between work-items.
uint who(void) { return (uint)get_global_id(0) * 100 + (uint)get_local_id(0); }

// Reads the first and the last element.
uint ends(const global uint *x, ulong count) { return x[0] * 1000 + x[count - 1]; }
