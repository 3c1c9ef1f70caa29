__kernel void syndromes(__global const uchar* messages, __global const uchar* exponents, __global const uchar* logarithms, __global uchar* out, uint length, uint parity, uint bytes) {
    uint s = get_global_id(0), m = get_global_id(1);
    if (s >= parity || m >= bytes / length) return;
    uchar sum = 0;
    __global const uchar* message = messages + m * length;
    for (uint k = 0; k < length; k++) {
        uchar product = sum == 0 ? 0 : exponents[logarithms[sum] + s];
        sum = product ^ message[k];
    }
    out[m * parity + s] = sum;
}
