kernel void rotary(global float*restrict q, ulong ql, global const uint*restrict pos, ulong pl, uint heads_, uint dim) {
  size_t i=get_global_id(0), half_=dim/2, heads=heads_; size_t pair=i%half_, head=i/half_%heads, token=i/half_/heads;
  if(token>=pl) return;
  float theta=(float)pos[token]*exp(-(2.0f*(float)pair)/(float)dim*9.21034f); float c,s=sincos(theta,&c);
  size_t base=(token*heads+head)*2*half_; float a=q[base+pair], b=q[base+pair+half_];
  q[base+pair]=a*c-b*s; q[base+pair+half_]=a*s+b*c;
}
