kernel void life_by_signed(global const uchar*restrict cells, ulong cn, global uchar*restrict next, ulong nn, ulong w_, ulong h_) {
  int w=w_, h=h_, x=get_global_id(0), y=get_global_id(1);
  if (x>=w||y>=h) return;
  int alive=0;
  for(int dy=-1;dy<=1;dy++) for(int dx=-1;dx<=1;dx++) if(dx!=0||dy!=0) alive+=cells[(y+dy+h)%h*w+(x+dx+w)%w];
  next[y*w+x] = alive==3 || (alive==2 && cells[y*w+x]==1);
}
