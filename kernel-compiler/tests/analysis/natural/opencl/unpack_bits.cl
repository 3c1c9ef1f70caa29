kernel void unpack_bits(global const uint*restrict words, ulong wl, global uchar*restrict bits, ulong n) {
  size_t i=get_global_id(0); if(i<n) bits[i]=words[i/32]>>(i%32)&1;
}
