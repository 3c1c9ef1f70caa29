kernel void gray_histogram(global const uchar4*restrict p, ulong n, global atomic_uint* bins) {
  size_t i=get_global_id(0); if(i<n){ uchar4 v=p[i]; uint l=((uint)v.x*77+(uint)v.y*150+(uint)v.z*29)>>8; atomic_fetch_add_explicit(&bins[l],1u,memory_order_relaxed,memory_scope_device); }
}
