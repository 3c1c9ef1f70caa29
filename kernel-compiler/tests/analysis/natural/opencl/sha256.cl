
__kernel void sha256(__global const uint* messages, __constant uint* k, __global uint* digests, uint n) {
    uint i = get_global_id(0);
    if (i < n / 8) {
        uint w[16];
        for (uint j = 0; j < 16; j++) w[j] = messages[i * 16 + j];
        uint h[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
        uint start[8];
        for (uint j = 0; j < 8; j++) start[j] = h[j];
        for (uint j = 0; j < 64; j++) {
            if (j >= 16) {
                uint a = w[(j + 1) % 16], b = w[(j + 14) % 16];
                uint s0 = rotate(a, 25u) ^ rotate(a, 14u) ^ (a >> 3), s1 = rotate(b, 15u) ^ rotate(b, 13u) ^ (b >> 10);
                w[j % 16] = w[j % 16] + s0 + w[(j + 9) % 16] + s1;
            }
            uint s1 = rotate(h[4], 26u) ^ rotate(h[4], 21u) ^ rotate(h[4], 7u);
            uint choice = (h[4] & h[5]) ^ (~h[4] & h[6]);
            uint t1 = h[7] + s1 + choice + k[j] + w[j % 16];
            uint s0 = rotate(h[0], 30u) ^ rotate(h[0], 19u) ^ rotate(h[0], 10u);
            uint majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
            uint t2 = s0 + majority;
            h[7] = h[6]; h[6] = h[5]; h[5] = h[4]; h[4] = h[3] + t1; h[3] = h[2]; h[2] = h[1]; h[1] = h[0]; h[0] = t1 + t2;
        }
        for (uint j = 0; j < 8; j++) digests[i * 8 + j] = h[j] + start[j];
    }
}
