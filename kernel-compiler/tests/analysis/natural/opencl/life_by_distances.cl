kernel void life_by_distances(global const uchar*restrict cells, ulong cn, global uchar*restrict next, ulong nn, ulong w_, ulong h_) {
  uint w=w_, h=h_, x=get_global_id(0), y=get_global_id(1);
  if (x>=w||y>=h) return;
  uchar alive=0; uint ys[3]={h-1,0,1}, xs[3]={w-1,0,1};
  for(int a=0;a<3;a++) for(int b=0;b<3;b++) if(xs[b]!=0||ys[a]!=0) alive+=cells[(y+ys[a])%h*w+(x+xs[b])%w];
  next[y*w+x] = alive==3 || (alive==2 && cells[y*w+x]==1);
}
