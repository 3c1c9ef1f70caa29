kernel void max_pool(global const float*restrict x, ulong xl, global float*restrict y, ulong yl, uint c_, uint h_, uint w_) {
  size_t c=c_,h=h_,w=w_,oh=h/2,ow=w/2,ox=get_global_id(0),oy=get_global_id(1),ch=get_global_id(2);
  if(ox<ow&&oy<oh&&ch<c){ float best=-INFINITY; for(int dy=0;dy<2;dy++) for(int dx=0;dx<2;dx++) best=fmax(best,x[(ch*h+2*oy+dy)*w+2*ox+dx]); y[(ch*oh+oy)*ow+ox]=best; }
}
