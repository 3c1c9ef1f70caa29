kernel void resize_bilinear(global const float*restrict src, ulong src_len, global float*restrict dst, ulong dst_len, uint w_, uint h_, uint ow_, uint oh_) {
  size_t x=get_global_id(0), y=get_global_id(1), w=w_, h=h_, ow=ow_, oh=oh_;
  if (x>=ow||y>=oh) return;
  float fx=((float)x+0.5f)*(float)w/(float)ow-0.5f, fy=((float)y+0.5f)*(float)h/(float)oh-0.5f;
  size_t x0=(size_t)fmax(fx,0.0f), y0=(size_t)fmax(fy,0.0f);
  x0=min(x0,w-1); y0=min(y0,h-1);
  size_t x1=min(x0+1,w-1), y1=min(y0+1,h-1);
  float tx=fx-(float)x0, ty=fy-(float)y0;
  float top=src[y0*w+x0]*(1.0f-tx)+src[y0*w+x1]*tx;
  float bottom=src[y1*w+x0]*(1.0f-tx)+src[y1*w+x1]*tx;
  dst[y*ow+x]=top*(1.0f-ty)+bottom*ty;
}
