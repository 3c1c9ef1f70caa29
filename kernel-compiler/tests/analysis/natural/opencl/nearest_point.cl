kernel void nearest_point(global const float*restrict px, ulong pl, global const float*restrict py, ulong pyl, global const float*restrict qx, ulong ql, global const float*restrict qy, ulong qyl, global uint*restrict idx, ulong il) {
  size_t q=get_global_id(0); if(q>=ql) return; float best=FLT_MAX; uint found=0; size_t n=min(pl,pyl);
  for(size_t i=0;i<n;i++){ float dx=px[i]-qx[q], dy=py[i]-qy[q]; float d=dx*dx+dy*dy; if(d<best){best=d;found=i;} } idx[q]=found;
}
