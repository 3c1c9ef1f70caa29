kernel void wave2d(global const float*restrict now, ulong nl, global const float*restrict before, ulong bl, global float*restrict after, ulong al, uint w_, uint h_, float c2) {
  size_t w=w_,h=h_,i=get_global_id(0),x=i%w,y=i/w; if(y>=h) return; float c=now[y*w+x];
  float l=x>0?now[y*w+x-1]:0.0f, r=x+1<w?now[y*w+x+1]:0.0f, u=y>0?now[(y-1)*w+x]:0.0f, d=y+1<h?now[(y+1)*w+x]:0.0f;
  after[i]=2.0f*c-before[i]+c2*(l+r+u+d-4.0f*c);
}
