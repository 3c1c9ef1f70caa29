kernel void sums_between(global const float*restrict v, ulong vn, global const uint*restrict off, ulong on, global float*restrict sums, ulong n) {
  size_t s=get_global_id(0); if(s<n){ float sum=0; for(uint i=off[s];i<off[s+1];i++) sum+=v[i]; sums[s]=sum; }
}
