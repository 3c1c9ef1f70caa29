kernel void cmul(global const float2*restrict a, ulong al, global const float2*restrict b, ulong bl, global float2*restrict c, ulong n) {
  size_t i=get_global_id(0); if(i<n){ float2 u=a[i], v=b[i]; c[i]=(float2)(u.x*v.x-u.y*v.y,u.x*v.y+u.y*v.x); }
}
