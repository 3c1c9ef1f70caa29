kernel void matvec(global const float*restrict a, ulong al, global const float*restrict x, ulong xl, global float*restrict y, ulong yl, uint cols_) {
  size_t row=get_global_id(0), cols=cols_; if(row<yl){ float s=0; for(size_t c=0;c<cols;c++) s+=a[row*cols+c]*x[c]; y[row]=s; }
}
