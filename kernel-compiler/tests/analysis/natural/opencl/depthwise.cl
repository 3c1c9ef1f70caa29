kernel void depthwise(global const float*restrict x, ulong xl, global const float*restrict k, ulong kl, global float*restrict y, ulong yl, uint c_, uint h_, uint w_) {
  size_t c=c_,h=h_,w=w_,px=get_global_id(0),py=get_global_id(1),ch=get_global_id(2);
  if(px>=w||py>=h||ch>=c) return; float acc=0;
  for(long ky=0;ky<3;ky++) for(long kx=0;kx<3;kx++){ long iy=(long)py+ky-1, ix=(long)px+kx-1; if(iy>=0&&iy<(long)h&&ix>=0&&ix<(long)w) acc+=k[ch*9+ky*3+kx]*x[(ch*h+iy)*w+ix]; }
  y[(ch*h+py)*w+px]=acc;
}
