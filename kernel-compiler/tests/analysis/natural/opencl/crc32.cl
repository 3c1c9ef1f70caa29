kernel void crc32(global const uchar*restrict data, ulong dl, global const uint*restrict table, global uint*restrict crcs, ulong cl_, uint block_) {
  size_t i=get_global_id(0), block=block_; if(i>=cl_) return; uint crc=~0u;
  for(size_t k=0;k<block;k++) crc=table[(crc^data[i*block+k])&0xff]^(crc>>8);
  crcs[i]=~crc;
}
