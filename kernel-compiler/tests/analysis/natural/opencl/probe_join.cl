__kernel void probe_join(__global const uint* keys, __global const uint* table, __global const uint* payloads, __global uint* out, uint n, uint slots) {
    uint i = get_global_id(0);
    if (i >= n) return;
    uint mask = slots - 1, slot = (keys[i] * 2654435761u) & mask, found = 0xffffffffu;
    for (uint tries = 0; tries < slots; tries++) {
        if (table[slot] == keys[i]) {
            found = payloads[slot];
            break;
        }
        if (table[slot] == 0xffffffffu) break;
        slot = (slot + 1) & mask;
    }
    out[i] = found;
}
