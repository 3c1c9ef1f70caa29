//! Compiles a restricted Rust to SPIR-V for the Level Zero environment.

pub mod emit;
pub mod ir;
