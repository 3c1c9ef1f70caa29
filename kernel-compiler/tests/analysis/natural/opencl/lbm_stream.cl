constant int CX[9]={0,1,0,-1,0,1,-1,-1,1}; constant int CY[9]={0,0,1,0,-1,1,1,-1,-1};
constant float W[9]={4.0f/9,1.0f/9,1.0f/9,1.0f/9,1.0f/9,1.0f/36,1.0f/36,1.0f/36,1.0f/36};
kernel void lbm_stream(global const float*restrict f, ulong fl, global float*restrict out, ulong ol, uint w_, uint h_, float omega) {
  int x=get_global_id(0), y=get_global_id(1), w=w_, h=h_;
  if(x>=w||y>=h) return;
  size_t cells=(size_t)(w*h);
  float g[9]; float rho=0,ux=0,uy=0;
  for(int k=0;k<9;k++){ int sx=(x-CX[k]+w)%w, sy=(y-CY[k]+h)%h; g[k]=f[k*cells+(size_t)(sy*w+sx)]; rho+=g[k]; ux+=g[k]*(float)CX[k]; uy+=g[k]*(float)CY[k]; }
  ux/=rho; uy/=rho; float uu=1.5f*(ux*ux+uy*uy);
  for(int k=0;k<9;k++){ float cu=3.0f*((float)CX[k]*ux+(float)CY[k]*uy); float eq=W[k]*rho*(1.0f+cu+0.5f*cu*cu-uu); out[k*cells+(size_t)(y*w+x)]=g[k]+omega*(eq-g[k]); }
}
