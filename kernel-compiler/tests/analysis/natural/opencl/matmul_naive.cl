kernel void matmul_naive(global const float*restrict a, ulong al, global const float*restrict b, ulong bl, global float*restrict c, ulong cl_, uint m_, uint n_, uint k_) {
  size_t m=m_,n=n_,k=k_,col=get_global_id(0),row=get_global_id(1); if(row<m&&col<n){ float s=0; for(size_t i=0;i<k;i++) s+=a[row*k+i]*b[i*n+col]; c[row*n+col]=s; }
}
