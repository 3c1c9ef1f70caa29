kernel void median3(global const uchar*restrict src, ulong sl, global uchar*restrict dst, ulong dl, uint w_, uint h_) {
  size_t w=w_,h=h_,x=get_global_id(0),y=get_global_id(1);
  if(x==0||y==0||x+1>=w||y+1>=h) return;
  uchar v[9];
  for(int dy=0;dy<3;dy++) for(int dx=0;dx<3;dx++) v[dy*3+dx]=src[(y+dy-1)*w+(x+dx-1)];
  for(int i=0;i<5;i++) for(int j=i+1;j<9;j++) if(v[j]<v[i]){uchar t=v[i];v[i]=v[j];v[j]=t;}
  dst[y*w+x]=v[4];
}
