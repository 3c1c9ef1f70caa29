// Compresses a block of SHA-256 for each work-item.
constant uint ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
constant uint START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

kernel void sha256(global const uint *restrict blocks, ulong blocks_len, global uint *restrict digests, ulong digests_len)
{
    size_t i = get_global_id(0);
    if (i >= blocks_len || i >= digests_len)
        return;
    uint w[64], s[8];
    for (int k = 0; k < 16; k++)
        w[k] = blocks[16 * i + k];
    for (int k = 16; k < 64; k++) {
        uint s0 = rotate(w[k - 15], 25u) ^ rotate(w[k - 15], 14u) ^ (w[k - 15] >> 3);
        uint s1 = rotate(w[k - 2], 15u) ^ rotate(w[k - 2], 13u) ^ (w[k - 2] >> 10);
        w[k] = w[k - 16] + s0 + w[k - 7] + s1;
    }
    for (int k = 0; k < 8; k++)
        s[k] = START[k];
    for (int k = 0; k < 64; k++) {
        uint s1 = rotate(s[4], 26u) ^ rotate(s[4], 21u) ^ rotate(s[4], 7u);
        uint choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint first = s[7] + s1 + choice + ROUNDS[k] + w[k];
        uint s0 = rotate(s[0], 30u) ^ rotate(s[0], 19u) ^ rotate(s[0], 10u);
        uint majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint second = s0 + majority;
        for (int place = 7; place > 0; place--)
            s[place] = s[place - 1];
        s[4] += first;
        s[0] = first + second;
    }
    for (int k = 0; k < 8; k++)
        digests[8 * i + k] = s[k] + START[k];
}
