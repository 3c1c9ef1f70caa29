kernel void text_hashes(global const uchar*restrict text, ulong tl, global const uint*restrict starts, ulong sl, global uint*restrict hashes, ulong hl) {
  size_t i=get_global_id(0); if(i+1<sl&&i<hl){ uint h=5381; for(uint k=starts[i];k<starts[i+1];k++) h=h*33^text[k]; hashes[i]=h; } }
