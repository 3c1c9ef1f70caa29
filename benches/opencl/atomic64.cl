// Sum, minimum and maximum by atomics of 64 bits.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void atomic64(global const ulong *restrict keys, ulong keys_len, volatile global ulong *restrict acc)
{
    size_t i = get_global_id(0);
    if (i < keys_len) {
        ulong key = keys[i];
        atom_add(acc, key);
        atom_min(acc + 1, key);
        atom_max(acc + 2, key);
    }
}
