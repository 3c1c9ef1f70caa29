// What needs double precision is a module of its own, which only some devices take.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

double halved(double x) { return x / 2.0; }
