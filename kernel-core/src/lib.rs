//! The vocabulary that host code and kernels share: scalar types and their layout, intrinsics, work-group local memory, and the
//! descriptors that a compiled kernel hands to the runtime.
//!
//! Nothing here needs an allocator or an operating system, so that the compiler, the CPU driver, the runtime
//! and user code can all depend on it.
#![no_std]

#[cfg(any(test, feature = "std"))]
extern crate std;

#[macro_use]
mod builtin;

pub mod atomic;
pub mod constant;
pub mod descriptor;
pub mod element;
pub mod fault;
mod fault_sites;
#[cfg(feature = "std")]
pub mod float;
#[cfg(feature = "std")]
pub mod group;
pub mod half;
pub mod hoisted;
pub mod image;
pub mod intrinsics;
pub mod layout;
pub mod local;
#[cfg(feature = "std")]
pub mod math;
pub mod memory;
#[cfg(feature = "std")]
pub mod number;
mod places;
pub mod presumption;
pub mod print;
pub mod scalar;
pub mod semantics;
pub mod shown;
#[cfg(feature = "std")]
pub mod subgroup;
pub mod vector;
#[cfg(feature = "std")]
pub mod work_group;

pub use constant::Constant;
pub use descriptor::{
    Access, Argument, ArgumentKind, Condition, ExportDescriptor, FloatAtomics, Import, KernelDescriptor,
    MAX_SPECIALIZATIONS, RequiredAt, RequiredFeature, Requirements, SourceLine, Specialization,
};
pub use element::{Element, ElementType, Field, StructType};
pub use fault::{FaultKind, FaultRecord, FaultSite, MAX_FAULT_WORDS, RecordedFault};
pub use fault_sites::{FaultFormat, FaultSites};
#[cfg(feature = "std")]
pub use float::Float;
pub use half::{bf16, f16};
pub use hoisted::{
    ExactOp, HoistedChecks, LaunchCondition, LaunchFacts, LaunchStep, MAX_LAUNCH_STACK, SmallLaunches,
};
pub use image::{ChannelClass, ImageAccess, ImageShape, ImageType, SamplerType};
pub use layout::{Layout, MAX_ALIGNMENT};
pub use local::Local;
pub use memory::Memory;
#[cfg(feature = "std")]
pub use number::{Integer, Number, Signed};
pub use places::{AccessPlaces, PlaceRun, is_access};
pub use presumption::{Part, Presumed, Presumption};
pub use print::{PrintHeader, PrintSite, PrintStream};
pub use scalar::Scalar;
pub use vector::Vector;
