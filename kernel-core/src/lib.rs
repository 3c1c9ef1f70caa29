//! The vocabulary that host code and kernels share: types, intrinsics, descriptors.
