kernel void blur_columns(global const float*restrict src, ulong sl, global const float*restrict wt, ulong wl, global float*restrict dst, ulong dl, uint w_, uint h_, uint r_) {
  size_t w=w_,h=h_,r=r_,x=get_global_id(0),y=get_global_id(1); if(x>=w||y>=h) return; float sum=0;
  for(size_t k=0;k<=2*r;k++){ size_t t=y+k; size_t row=min(t>r?t-r:0,h-1); sum+=src[row*w+x]*wt[k]; }
  dst[y*w+x]=sum;
}
