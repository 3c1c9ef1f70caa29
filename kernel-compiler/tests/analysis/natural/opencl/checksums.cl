__kernel void checksums(__global const uchar* bytes, __global const uint* table, __global uint* sums, uint len, uint n) {
    uint i = get_global_id(0);
    if (i < n) {
        uint crc = ~0u;
        for (uint j = 0; j < len; j++) crc = table[(crc ^ bytes[i * len + j]) & 0xff] ^ (crc >> 8);
        sums[i] = ~crc;
    }
}
