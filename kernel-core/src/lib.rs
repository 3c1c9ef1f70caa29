//! The vocabulary that host code and kernels share: scalar types, intrinsics, work-group local memory, and the
//! descriptors that a compiled kernel hands to the runtime.
//!
//! Nothing here needs an allocator or an operating system, so that the compiler, the CPU driver, the runtime
//! and user code can all depend on it.
#![no_std]

pub mod descriptor;
pub mod fault;
pub mod intrinsics;
pub mod local;
pub mod scalar;
pub mod semantics;

pub use descriptor::{Access, Argument, ArgumentKind, KernelDescriptor, Requirements};
pub use fault::{FaultKind, FaultRecord, FaultSite};
pub use local::Local;
pub use scalar::{Element, Scalar};
