__attribute__((reqd_work_group_size(256,1,1)))
kernel void block_max(global const float*restrict x, ulong xl, global float*restrict out, ulong ol) {
  local float tile[256]; size_t l=get_local_id(0), i=get_global_id(0); tile[l]=i<xl?x[i]:-INFINITY; barrier(CLK_LOCAL_MEM_FENCE);
  for(size_t s=128;s>0;s/=2){ if(l<s) tile[l]=fmax(tile[l],tile[l+s]); barrier(CLK_LOCAL_MEM_FENCE); }
  if(l==0) out[get_group_id(0)]=tile[0];
}
