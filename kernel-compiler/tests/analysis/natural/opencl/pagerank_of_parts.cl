kernel void pagerank_of_parts(global const uint*restrict off, ulong ol, global const uint*restrict src, ulong sl, global const float*restrict rank, ulong rl, global const uint*restrict deg, ulong dl, global float*restrict next, ulong nl, float damping) {
  size_t v=get_global_id(0); if(v<nl){ float sum=0; for(uint e=off[v];e<off[v+1];e++){ uint u=src[e]; sum+=rank[u]/(float)deg[u]; } next[v]=(1.0f-damping)/(float)nl+damping*sum; }
}
