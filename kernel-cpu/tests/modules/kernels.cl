// Kernels for the tests of the driver. See README.md for how kernels.spv is made from this.

typedef struct { uint count; uint site; ulong values[2]; ulong global_id[3]; } fault_record;

// The shape of a kernel with bounds checks and a fault record.
kernel void saxpy_checked(float a, global const float *x, ulong x_len, global float *y, ulong y_len,
                          global fault_record *record) {
    ulong i = get_global_id(0);
    if (i < x_len && i < y_len) {
        y[i] = a * x[i] + y[i];
    } else if (atomic_inc((volatile global uint *)&record->count) == 0) {
        record->site = 7;
        record->values[0] = i;
        record->values[1] = y_len;
        record->global_id[0] = i;
    }
}

// Steps of the Collatz sequence: every work-item loops for a different time.
kernel void collatz(global uint *out) {
    uint n = (uint)get_global_id(0) + 1, steps = 0;
    while (n != 1) {
        n = (n & 1) ? 3 * n + 1 : n >> 1;
        steps++;
    }
    out[get_global_id(0)] = steps;
}

// Nested loops with every kind of jump.
kernel void jumps(global uint *out, uint n) {
    uint id = (uint)get_global_id(0), sum = 0;
    for (uint i = 0; i < n; i++) {
        if ((i + id) % 3 == 0)
            continue;
        for (uint j = 0;; j++) {
            if (j > i || j * id > 100)
                break;
            switch (j ^ id) {
            case 0: sum += 1; break;
            case 1: sum += 10;
            case 2: sum ^= 0x55; break;
            case 5: if (sum > 100000) { out[id] = sum; return; }
            default: sum = sum * 3 + j;
            }
        }
    }
    out[id] = sum;
}

// The sum of a work-group, through local memory whose size is an argument.
kernel void group_sum(global const uint *in, global uint *out, local uint *scratch) {
    uint l = get_local_id(0), size = get_local_size(0);
    scratch[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint reach = 1; reach < size; reach *= 2) {
        uint other = l + reach < size ? scratch[l + reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scratch[l] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = scratch[0];
}

// Reads local memory before anything is written to it, then leaves something behind.
kernel void leak(global uint *out) {
    local uint secret[16];
    volatile local uint *p = secret;
    out[get_global_id(0)] = p[get_local_id(0)];
    p[get_local_id(0)] = 42;
}

kernel void some_return(global uint *out) {
    if (get_local_id(0) == 3)
        return;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}

kernel void two_barriers(global uint *out) {
    if (get_local_id(0) < 16) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[get_global_id(0)] = 1;
    } else {
        out[get_global_id(0)] = 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void write_at(global uint *p, long index) { p[index] = 1; }

kernel void read_at(global uint *p, long index, global uint *out) { out[get_global_id(0)] = p[index]; }

kernel void local_at(global uint *out, uint index) {
    local uint shared_words[4];
    volatile local uint *p = shared_words;
    p[index] = 5;
    out[get_global_id(0)] = p[index];
}

kernel void private_at(global uint *out, uint index) {
    uint words[8];
    for (uint i = 0; i < 8; i++)
        words[i] = i * i;
    volatile uint *p = words;
    p[index] = 100;
    uint sum = 0;
    for (uint i = 0; i < 8; i++)
        sum += p[i];
    out[get_global_id(0)] = sum;
}

kernel void misaligned(global uint *p) {
    atomic_inc((volatile global uint *)((global uchar *)p + 1));
}

typedef struct { uchar tag; float3 v; ushort h; ulong w[2]; } odd;

kernel void by_value(odd s, global float *out) {
    s.w[0] += get_global_id(0);
    volatile odd copy = s;
    out[get_global_id(0)] = copy.tag + copy.v.x + copy.v.y + copy.v.z + copy.h + copy.w[0] + copy.w[1];
}

__attribute__((noinline)) uint mix_up(uint x, uint rounds) {
    for (uint i = 0; i < rounds; i++) {
        if (x & 1)
            return x * 7;
        x = x / 2 + i;
    }
    return x;
}

kernel void calls(global uint *out) {
    uint id = (uint)get_global_id(0);
    out[id] = mix_up(id, 3) + mix_up(id * 2, id & 3);
}

kernel void integers(global const uint *a, global const uint *b, global uint *out) {
    uint id = (uint)get_global_id(0), n = (uint)get_global_size(0);
    uint x = a[id], y = b[id];
    int p = (int)x, q = (int)y;
    out[id] = x / y;
    out[id + n] = y % x;
    out[id + 2 * n] = (uint)(p / q);
    out[id + 3 * n] = (uint)(q % p);
    out[id + 4 * n] = x << y;
    out[id + 5 * n] = (uint)(p >> q);
    out[id + 6 * n] = mul_hi(x, y);
    out[id + 7 * n] = (uint)mul_hi(p, q);
    out[id + 8 * n] = (uint)add_sat(p, q);
    out[id + 9 * n] = sub_sat(x, y);
    out[id + 10 * n] = clz(x);
    out[id + 11 * n] = popcount(x);
    out[id + 12 * n] = rotate(x, y);
    out[id + 13 * n] = abs_diff(p, q);
    out[id + 14 * n] = hadd(x, y);
    out[id + 15 * n] = (uint)rhadd(p, q);
    out[id + 16 * n] = bitselect(x, y, 0x0ff0u);
    out[id + 17 * n] = (uint)clamp(p, -5, 100);
    out[id + 18 * n] = upsample((ushort)x, (ushort)y);
    out[id + 19 * n] = (uint)(char)x + (uint)(short)y;
}

kernel void floats(global const float *a, global const float *b, global float *out) {
    uint id = (uint)get_global_id(0), n = (uint)get_global_size(0);
    float x = a[id], y = b[id], whole;
    int exponent;
    out[id] = sin(x);
    out[id + n] = pow(x, y);
    out[id + 2 * n] = fmod(x, y);
    out[id + 3 * n] = fma(x, y, x);
    out[id + 4 * n] = rint(x);
    out[id + 5 * n] = fract(x, &whole);
    out[id + 6 * n] = whole;
    out[id + 7 * n] = sign(x);
    out[id + 8 * n] = fmin(x, y);
    out[id + 9 * n] = clamp(x, -1.0f, 1.0f);
    out[id + 10 * n] = ldexp(x, 3);
    out[id + 11 * n] = frexp(x, &exponent);
    out[id + 12 * n] = (float)exponent;
    out[id + 13 * n] = pown(x, 3);
    out[id + 14 * n] = isnan(x) ? 1.0f : isinf(x) ? 2.0f : 3.0f;
    out[id + 15 * n] = x < y ? 1.0f : x == y ? 2.0f : x > y ? 3.0f : 4.0f;
    out[id + 16 * n] = (float)convert_int_sat(x);
    out[id + 17 * n] = (float)convert_uchar_sat_rte(x);
    out[id + 18 * n] = nextafter(x, y);
    out[id + 19 * n] = modf(x, &whole);
}

kernel void vectors(global const float *in, global float *out) {
    uint id = (uint)get_global_id(0);
    float3 v = vload3(id, in);
    float4 w = (float4)(v.zyx, dot(v, v));
    float8 o = (float8)(w, w.wzyx) * 2.0f;
    o.s7 = length(v.xy);
    o.lo.xyz += cross(v, w.xyz);
    o[id & 7] += 1.0f;
    vstore8(o, id, out);
}

kernel void halves(global const half *in, global half *out) {
    uint id = (uint)get_global_id(0);
    vstore_half(vload_half(id, in) * 1.5f, id, out);
}

constant uint table[5] = {2, 3, 5, 7, 11};

kernel void constants(global uint *out) { out[get_global_id(0)] = table[get_global_id(0) % 5]; }

kernel void ids(global ulong *out) {
    ulong i = get_global_linear_id();
    global ulong *p = out + 8 * i;
    p[0] = get_global_id(0) | get_global_id(1) << 16 | get_global_id(2) << 32;
    p[1] = get_local_id(0) | get_local_id(1) << 16 | get_local_id(2) << 32;
    p[2] = get_group_id(0) | get_group_id(1) << 16 | get_group_id(2) << 32;
    p[3] = get_global_size(0) | get_global_size(1) << 16 | get_global_size(2) << 32;
    p[4] = get_local_size(0) | get_local_size(1) << 16 | get_local_size(2) << 32;
    p[5] = get_num_groups(0) | get_num_groups(1) << 16 | get_num_groups(2) << 32;
    p[6] = get_local_linear_id();
    p[7] = 1;
}

kernel void atomics(volatile global uint *p, volatile global ulong *wide, global uint *tickets) {
    uint id = (uint)get_global_id(0);
    tickets[atomic_inc(&p[0])] = id;
    atomic_add(&p[1], id);
    atomic_min((volatile global int *)&p[2], -(int)id);
    atomic_max(&p[3], id);
    atomic_or(&p[4], 1u << (id & 31));
    atomic_xor(&p[5], id);
    uint old = p[6];
    while ((uint)atomic_cmpxchg(&p[6], old, old + 3) != old)
        old = p[6];
}

kernel void spin(global uint *out, uint rounds) {
    uint x = (uint)get_global_id(0);
    for (uint i = 0; i < rounds; i++)
        x = x * 1664525u + 1013904223u;
    out[get_global_id(0)] = x;
}
