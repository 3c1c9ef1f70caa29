// Kernels that access private memory at an index which the host chooses.

struct Wrapped {
    int values[4];
};

struct Nested {
    int before[2];
    struct {
        int head;
        int values[4];
    } inner;
};

kernel void element(global int *out, long index) {
    volatile int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    values[index] += 100;
    out[get_global_id(0)] = values[index];
}

// Three words leave a hole before the memory of the next work-item.
kernel void odd(global int *out, long index) {
    volatile int values[3];
    for (int i = 0; i < 3; i++)
        values[i] = i + (int)get_global_id(0);
    out[get_global_id(0)] = values[index];
}

int read_generic(volatile int *from, long index) {
    return from[index];
}

kernel void generic_pointer(global int *out, long index) {
    volatile int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    out[get_global_id(0)] = read_generic(values, index);
}

kernel void number(global int *out, long index) {
    volatile int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    ulong address = (ulong)(volatile private int *)values + 4 * index;
    out[get_global_id(0)] = *(volatile private int *)address;
}

kernel void vector(global int *out, long index) {
    int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    int4 loaded = vload4(0, (private int *)values + index);
    out[get_global_id(0)] = loaded.x ^ loaded.w;
}

kernel void vector_store(global int *out, long index) {
    int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    vstore4((int4)(get_global_id(0)), 0, (private int *)values + index);
    out[get_global_id(0)] = values[out[0] & 3];
}

// A copy of the whole structure from, or to, another place than where it is.
kernel void copied_from(global struct Wrapped *out, long index) {
    struct Wrapped wrapped;
    for (int i = 0; i < 4; i++)
        wrapped.values[i] = i + (int)get_global_id(0);
    out[get_global_id(0)] = *(struct Wrapped *)(wrapped.values + index);
}

kernel void copied_to(global struct Wrapped *out, long index) {
    struct Wrapped wrapped;
    *(struct Wrapped *)(wrapped.values + index) = out[get_global_id(0)];
    out[get_global_id(0)].values[0] = wrapped.values[out[0].values[1] & 3];
}

kernel void member(global int *out, long index) {
    struct Nested nested;
    nested.before[0] = nested.before[1] = nested.inner.head = -1;
    for (int i = 0; i < 4; i++)
        nested.inner.values[i] = i + (int)get_global_id(0);
    nested.inner.values[index] += 100;
    out[get_global_id(0)] = nested.inner.values[index];
}

kernel void parts(global float *out, long index) {
    float whole[4];
    for (int i = 0; i < 4; i++)
        whole[i] = i;
    float rest = modf(2.5f, (private float *)whole + index);
    out[get_global_id(0)] = rest + whole[(int)out[0] & 3];
}

// The work-items pass on where their memory is; `by` says how far away the one is whose memory is read.
kernel void handed(global int *out, long by, local ulong *addresses) {
    volatile int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    addresses[get_local_id(0)] = (ulong)(volatile private int *)values;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong other = addresses[(get_local_id(0) + by) % get_local_size(0)];
    out[get_global_id(0)] = ((volatile private int *)other)[1];
}

ulong __attribute__((overloadable)) intel_sub_group_shuffle(ulong value, uint lane);

kernel void shuffled(global int *out, long by) {
    volatile int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    ulong own = (ulong)(volatile private int *)values;
    ulong other = intel_sub_group_shuffle(own, (uint)(get_local_id(0) + by) & 15);
    out[get_global_id(0)] = ((volatile private int *)other)[1];
}

kernel void atomic_add(global int *out, long index) {
    int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = i + (int)get_global_id(0);
    int *word = values + index;
    out[get_global_id(0)] = atomic_fetch_add((volatile atomic_int *)word, 1);
}
