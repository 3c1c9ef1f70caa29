kernel void cholesky4(global const float*restrict a_, ulong al, global float*restrict l, ulong ll, uint count) {
  size_t i=get_global_id(0); if(i>=count) return; global const float*a=a_+i*16; float m[4][4]={{0}};
  for(int r=0;r<4;r++) for(int c=0;c<=r;c++){ float s=a[r*4+c]; for(int k=0;k<c;k++) s-=m[r][k]*m[c][k]; m[r][c]=r==c?sqrt(s):s/m[c][c]; }
  for(int r=0;r<4;r++) for(int c=0;c<4;c++) l[i*16+r*4+c]=m[r][c];
}
