//! The vocabulary that host code and kernels share: scalar types and their layout, intrinsics, work-group local memory, and the
//! descriptors that a compiled kernel hands to the runtime.
//!
//! Nothing here needs an allocator or an operating system, so that the compiler, the CPU driver, the runtime
//! and user code can all depend on it.
#![no_std]

#[cfg(test)]
extern crate std;

pub mod descriptor;
pub mod element;
pub mod fault;
pub mod intrinsics;
pub mod layout;
pub mod local;
pub mod scalar;
pub mod semantics;

pub use descriptor::{Access, Argument, ArgumentKind, KernelDescriptor, Requirements};
pub use element::{Element, ElementType, Field, StructType};
pub use fault::{FaultKind, FaultRecord, FaultSite};
pub use layout::Layout;
pub use local::Local;
pub use scalar::Scalar;
