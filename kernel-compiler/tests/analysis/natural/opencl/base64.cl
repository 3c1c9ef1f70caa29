__kernel void base64(__global const uchar* bytes, __global const uchar* alphabet, __global uchar* text, uint n) {
    uint i = get_global_id(0);
    if (i < n / 3) {
        uint word = (uint)bytes[3 * i] << 16 | (uint)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
        for (uint j = 0; j < 4; j++) text[4 * i + j] = alphabet[word >> (18 - 6 * j) & 63];
    }
}
