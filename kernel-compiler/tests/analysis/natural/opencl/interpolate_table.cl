kernel void interpolate_table(global const float*restrict x, ulong n, global const float*restrict t, ulong tl, global float*restrict y, ulong yl) {
  size_t i=get_global_id(0); if(i>=n) return; float v=clamp(x[i],0.0f,1.0f)*(float)(tl-1); size_t k=min((size_t)v,(size_t)(tl-2)); float f=v-(float)k; y[i]=t[k]+f*(t[k+1]-t[k]);
}
