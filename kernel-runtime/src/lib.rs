//! Launches kernels written in Rust through oneAPI Level Zero.

mod buffer;
mod device;
mod dispatch;
mod error;
#[cfg(test)]
mod fake_driver;
mod fault;
mod fault_records;
mod group_size;
mod kernel;
mod launch;
mod limits;
mod memory;
mod module;
mod platform;
mod progress;
mod properties;
mod queue;
mod queue_core;
mod queue_set;
#[cfg(test)]
mod queue_tests;
mod reclaim;
mod selection;
mod size;
mod status;
mod stream;
mod usage;

pub use buffer::Buffer;
pub use device::{Device, DeviceKind};
pub use error::{
    BufferError, BufferProblem, BuildError, BuildProblem, DriverError, Error, Feature, InternalError,
    LaunchError, LaunchProblem, MissingFeature, Result,
};
pub use fault::KernelFault;
pub use kernel_core::descriptor::{
    Access, AlignedBytes, Argument, ArgumentKind, KernelDescriptor, Requirements, Spirv,
};
pub use kernel_core::{Element, FaultKind, FaultSite, Local, Scalar};
pub use kernel_macros::{device, kernel};
pub use launch::{Launch, LaunchArgument};
pub use limits::Limits;
pub use queue::Queue;
pub use selection::{DEVICE_VARIABLE, SelectionError};
pub use size::{GlobalSize, GroupCount, GroupSize};
pub use status::{GpuStatus, RenderNodes};

/// What a program that writes and launches kernels needs.
pub mod prelude {
    pub use crate::{Buffer, Device, Error, Queue, Result};
    pub use kernel_core::Local;
    pub use kernel_core::intrinsics::*;
    pub use kernel_macros::{device, kernel};
}

/// What the code that the macros write refers to; no part of the API.
#[doc(hidden)]
pub mod __private {
    pub use kernel_core;
    pub use kernel_macros::compile;

    use kernel_core::descriptor::AlignedBytes;
    use kernel_core::{KernelDescriptor, Requirements};

    /// Stands in for the descriptor of a kernel that did not compile, so that the errors are those of the kernel alone.
    pub const INVALID: KernelDescriptor = {
        static NO_MODULE: AlignedBytes<0> = AlignedBytes([]);
        KernelDescriptor {
            name: "kernel",
            spirv: kernel_core::descriptor::Spirv::new(&NO_MODULE),
            arguments: &[],
            rank: 1,
            group_size: None,
            subgroup_size: None,
            local_memory: 0,
            requirements: Requirements {
                spirv_version: (1, 0),
                capabilities: &[],
                extensions: &[],
                fp64: false,
                fp16: false,
                int64_atomics: false,
            },
            fault_sites: &[],
        }
    };
}
