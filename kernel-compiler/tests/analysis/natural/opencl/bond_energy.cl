kernel void bond_energy(global const float*restrict pos, ulong pl, global const uint2*restrict bonds_, ulong bl, global float*restrict energy, ulong el, float rest, float k) {
  uint b=get_global_id(0); if(b<bl&&b<el){ uint2 ij=bonds_[b]; float d2=0; for(int c=0;c<3;c++){ float d=pos[3*ij.x+c]-pos[3*ij.y+c]; d2+=d*d; } float s=sqrt(d2)-rest; energy[b]=0.5f*k*s*s; } }
