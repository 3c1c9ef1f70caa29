kernel void collide(global const float*restrict src, ulong sl, global float*restrict dst, ulong dl, ulong w_, ulong h_, float omega) {
  const int cx[9]={0,1,0,-1,0,1,-1,-1,1}, cy[9]={0,0,1,0,-1,1,1,-1,-1};
  const float wt[9]={4.0f/9,1.0f/9,1.0f/9,1.0f/9,1.0f/9,1.0f/36,1.0f/36,1.0f/36,1.0f/36};
  int w=w_, h=h_, x=get_global_id(0), y=get_global_id(1);
  if (x>=w||y>=h) return;
  int n=w*h; float f[9], rho=0, ux=0, uy=0;
  for(int q=0;q<9;q++){ int sx=(x-cx[q]+w)%w, sy=(y-cy[q]+h)%h; f[q]=src[q*n+sy*w+sx]; rho+=f[q]; ux+=f[q]*cx[q]; uy+=f[q]*cy[q]; }
  ux/=rho; uy/=rho; float u2=ux*ux+uy*uy;
  for(int q=0;q<9;q++){ float cu=cx[q]*ux+cy[q]*uy; float eq=wt[q]*rho*(1.0f+3.0f*cu+4.5f*cu*cu-1.5f*u2); dst[q*n+y*w+x]=f[q]+omega*(eq-f[q]); }
}
