//! Launches kernels written in Rust through oneAPI Level Zero.
