kernel void xorshift_pi(global const uint*restrict seeds, ulong sl, global uint*restrict hits, ulong hl, uint trials) {
  size_t i=get_global_id(0); if(i>=hl) return; uint s=seeds[i], count=0;
  for(uint t=0;t<trials;t++){ s^=s<<13;s^=s>>17;s^=s<<5; float x=(float)(s>>8)/16777216.0f; s^=s<<13;s^=s>>17;s^=s<<5; float y=(float)(s>>8)/16777216.0f; if(x*x+y*y<1.0f) count++; }
  hits[i]=count;
}
