kernel void layer_norm(global const float*restrict x, ulong xl, global const float*restrict gamma, ulong gl, global const float*restrict beta, ulong bl, global float*restrict y, ulong yl, uint rows, uint cols_) {
  size_t row=get_global_id(0), cols=cols_; if(row>=rows) return;
  global const float* in=x+row*cols; float mean=0;
  for(size_t i=0;i<cols;i++) mean+=in[i]; mean/=(float)cols; float var=0;
  for(size_t i=0;i<cols;i++) var+=(in[i]-mean)*(in[i]-mean);
  float scale=1.0f/sqrt(var/(float)cols+1e-5f);
  for(size_t c=0;c<cols;c++) y[row*cols+c]=(in[c]-mean)*scale*gamma[c]+beta[c];
}
