__kernel void random_numbers(__global uint* out, uint seed, uint n) {
    uint i = get_global_id(0);
    if (4 * i + 3 < n) {
        uint c[4] = {i, 0, seed, 0}, key[2] = {seed, 0xdeadbeefu};
        for (int r = 0; r < 10; r++) {
            ulong p = (ulong)c[0] * 0xd2511f53u, q = (ulong)c[2] * 0xcd9e8d57u;
            uint a = (uint)(q >> 32) ^ c[1] ^ key[0], b = (uint)q, d = (uint)(p >> 32) ^ c[3] ^ key[1], e = (uint)p;
            c[0] = a; c[1] = b; c[2] = d; c[3] = e;
            key[0] += 0x9e3779b9u; key[1] += 0xbb67ae85u;
        }
        for (uint j = 0; j < 4; j++) out[4 * i + j] = c[j];
    }
}
