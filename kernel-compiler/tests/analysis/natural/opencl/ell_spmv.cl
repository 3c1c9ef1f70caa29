kernel void ell_spmv(global const uint*restrict col, ulong cl_, global const float*restrict val, ulong vl, global const float*restrict x, ulong xl, global float*restrict y, ulong yl, uint per_row) {
  size_t row=get_global_id(0), rows=yl; if(row<rows){ float sum=0; for(size_t k=0;k<per_row;k++){ size_t at=k*rows+row; sum+=val[at]*x[col[at]]; } y[row]=sum; }
}
