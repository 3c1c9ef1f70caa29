//! Launches kernels written in Rust through oneAPI Level Zero.
//!
//! A kernel stands beside the host code that launches it. The compiler of this project turns it into SPIR-V while rustc
//! compiles the program; here are the devices, the memory and the launches.
//!
#![cfg_attr(feature = "cpu", doc = "```")]
#![cfg_attr(not(feature = "cpu"), doc = "```no_run")]
//! use kernel_runtime::prelude::*;
//!
//! #[kernel]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     let i = global_id(0);
//!     if i < y.len() {
//!         y[i] = a * x[i] + y[i];
//!     }
//! }
//!
//! fn main() -> Result<()> {
//!     let queue = Device::best()?.queue()?;
//!     let x = queue.upload(&vec![1.0_f32; 1 << 20])?;
//!     let mut y = queue.upload(&vec![2.0_f32; 1 << 20])?;
//!     saxpy(3.0, &x, &mut y).launch(&queue, y.len())?;
//!     let y: Vec<f32> = queue.download(&y)?;
//!     assert_eq!(y, vec![5.0; 1 << 20]);
//!     Ok(())
//! }
//! ```
//!
//! # Devices
//!
//! [`Device::best`] is the first GPU that the system's Level Zero drivers have, or else the CPU, through a Level Zero driver
//! that this crate brings along (feature `cpu`, on by default). The environment variable `KERNEL_DEVICE` chooses another:
//! `cpu`, `gpu`, `gpu:1`. Nothing has to be installed for the CPU, and the loader of the system's drivers is opened when
//! the first device is asked for, so that a program starts on a machine that has none. [`Device::gpu_status`] says why
//! there is no GPU.
//!
//! On the CPU device the environment variable `KERNEL_CPU_TIMEOUT` sets how many milliseconds a launch may run. One that runs longer is stopped, and the next
//! synchronisation returns [`Error::Driver`] with the kernel's name.
//!
//! # Queues and buffers
//!
//! A [`Queue`] runs launches and copies in the order of the calls, while the host goes on. A [`Buffer`] is typed memory of
//! the device. Dropping one is safe at any time, and so is using one on several queues: later calls see what
//! earlier ones did. A [`UsmBuffer`] is one that the host reads and writes in place, in memory of the host or in memory
//! that moves between the two; [`Queue::import_vec`] and [`UsmBuffer::into_vec`] make one of a vector and a vector of one, without a copy where the device can. Kernels and copies take parts of buffers too ([`Buffer::slice`]), and [`Queue::copy`], [`Queue::fill`] and
//! [`Queue::copy_region`] work on the device alone. The memory of dropped buffers is kept for later ones ([`Device::kept_bytes`]).
//!
//! # Several devices
//!
//! A [`Split`] cuts elements into a part for each of several devices or sub-devices, and has launches that run on all of them. [`Queue::copy`] copies from device to device, and where
//! one [can access](Device::can_access) the memory of another, launches take its buffers too.
//!
//! # Launches
//!
//! The function that `#[kernel]` defines takes a [`Buffer`] for each slice and gives a [`Launch`]; the number and types of the
//! arguments, and that no other argument is the same buffer as a `&mut` one, are checked by rustc. [`Launch::launch`] runs
//! exactly as many work-items as it is told; it refuses a launch that the device cannot run with an error that names the
//! reason, before anything is enqueued.
//!
//! [`Launch::submit`] gives an [`Event`], by which the host, an asynchronous task or another queue waits for the launch, and which tells how long it took on
//! the device. [`Queue::download_async`], [`Queue::upload_async`] and [`Queue::scope`] copy without waiting.
//!
//! [`Trace`], or the environment variable `KERNEL_TRACE=file.json` without any change of the program, records what queues do: a timeline for
//! <https://ui.perfetto.dev>, and a table of how long kernels took.
//!
//! A kernel is built for the device at its first launch, or by [`Queue::prepare`]. With the environment variable `KERNEL_CACHE=directory` what the driver
//! makes of it is kept there, if it has such a thing, for the next time that a program is started.
//!
//! # Other crates
//!
//! With the feature `ndarray` queues take arrays of that crate ([`Queue::upload_array`](Queue)), and views of buffers are views of arrays. With the feature
//! `tracing` the runtime makes spans and events of the crate `tracing`, under the target `kernel_runtime`.
//!
//! # Faults
//!
//! What would be a panic on the host, such as an index out of bounds, is a [`KernelFault`] here: the work-item ends, or, in
//! kernels with barriers, skips the access, the launch runs to its end, and the next [`Queue::download`] or [`Queue::synchronize`] returns the fault with its place in
//! the source. Overflow of integers is one in crates that are built with `overflow-checks`, or where the kernel says so,
//! `#[kernel(overflow = "check")]`. Faults of the kernel ([`Error::Fault`]), failures of the driver ([`Error::Driver`]) and bugs of this project
//! ([`Error::Internal`]) are errors of different types.

mod device;
mod error;
mod expected;
#[cfg(test)]
mod fake_driver;
mod fault;
mod launch;
mod library;
mod memory;
mod module;
mod queue;
mod split;
mod sync;
mod trace;

pub use device::float_modes::FloatModes;
pub use device::limits::{ImageLimits, Limits};
pub use device::selection::{DEVICE_VARIABLE, SelectionError};
pub use device::status::{GpuStatus, RenderNodes, loaded_kernel_modules};
pub use device::{Device, DeviceKind};
pub use error::{
    BufferError, BufferProblem, BuildError, BuildProblem, DriverError, Error, Feature, HostFunctionError,
    ImageError, ImageProblem, InternalError, LaunchError, LaunchProblem, LibraryError, LibraryProblem,
    LinkError, LinkProblem, MissingFeature, Refused, RegionProblem, Result, SplitError, SplitProblem,
};
pub use fault::KernelFault;
pub use kernel_core::descriptor::{
    Access, AlignedBytes, Argument, ArgumentKind, ExportDescriptor, FloatAtomics, Import, KernelDescriptor,
    Requirements, SourceLine, Spirv,
};
pub use kernel_core::group::{Bits, BlockValue, GroupNumber, GroupValue};
pub use kernel_core::{
    Constant, Element, ElementType, FaultKind, FaultSite, FaultSites, Field, Float, Integer, Local, Memory,
    Number, Presumed, Presumption, PrintSite, PrintStream, Scalar, Signed, StructType, Vector, atomic, bf16,
    f16, image as images, subgroup, vector, work_group,
};
pub use kernel_macros::{device, kernel, kernels};
pub use launch::local::LocalLen;
pub use launch::occupancy::Occupancy;
pub use launch::size::{GlobalSize, GroupCount, GroupSize};
pub use launch::{Launch, LaunchArgument};
pub use library::Library;
pub use memory::buffer::Buffer;
pub use memory::image::DeviceImage;
#[doc(hidden)]
pub use memory::image::{ImageArgument, KernelImage};
pub use memory::region::Region;
pub use memory::slice::{BufferSlice, BufferSliceMut};
pub use memory::usm::{MemoryAccess, UsmAccess, UsmKind};
pub use memory::usm_buffer::{UsmBuffer, View, ViewMut};
pub use module::cache::CACHE_VARIABLE;
pub use queue::Queue;
pub use queue::asynchronous::Download;
pub use queue::event::Event;
pub use queue::graph::{Graph, GraphNode};
pub use queue::hints::MemoryAdvice;
pub use queue::options::{Priority, QueueOptions};
pub use queue::scope::Scope;
pub use split::{Part, Split, SplitBuffer};
pub use trace::{KernelTimes, TRACE_VARIABLE, Timeline, Trace};

/// What the CPU device checks while kernels run: `set_checks` chooses it by code, in the place of the environment variable `KERNEL_CHECK`, before the first
/// kernel is built.
#[cfg(feature = "cpu")]
pub mod check {
    pub use kernel_cpu::{
        AccessKind, CheckError, Checks, DataRace, Position, RaceAccess, RaceMemory, RaceReason, set_checks,
    };
}

/// What a program that writes and launches kernels needs.
pub mod prelude {
    pub use crate::{Buffer, Device, DeviceImage, Error, LocalLen, Queue, Result, UsmBuffer};
    pub use kernel_core::image::names::*;
    pub use kernel_core::intrinsics::*;
    pub use kernel_core::math;
    pub use kernel_core::vector::names::*;
    pub use kernel_core::{
        Constant, Float, Integer, Local, Number, Signed, Vector, bf16, f16, subgroup, work_group,
    };
    pub use kernel_macros::{device, kernel, kernels};
}

/// What the code that the macros write refers to; no part of the API.
#[doc(hidden)]
pub mod __private {
    pub use crate::expected::{
        ConstantOfStandard, Destructor, DeviceConstant, DeviceFunction, DeviceType, NoDestructor,
        same_function, some_type, some_value, unknown,
    };
    pub use crate::launch::condition::Conditions;
    pub use crate::launch::given::{
        AtomicReference, AtomicSlice, ByValue, Given, Image, LocalMemory, NotShared, Pointer, Reference,
        Sampler, Shared, Slice,
    };
    pub use kernel_core;
    pub use kernel_macros::compile;

    /// What stands in conditions: operators whose results may not fit, and sizes.
    pub mod condition {
        pub use crate::launch::condition::{Sizes, add, div, holds, mul, neg, rem, shl, shr, sub};
    }

    use kernel_core::descriptor::Spirv;
    use kernel_core::{ExportDescriptor, FloatAtomics, KernelDescriptor, Requirements};

    const NO_REQUIREMENTS: Requirements = Requirements {
        spirv_version: (1, 0),
        capabilities: &[],
        extensions: &[],
        fp64: false,
        fp16: false,
        int64_atomics: false,
        fp16_atomics: FloatAtomics::NONE,
        fp32_atomics: FloatAtomics::NONE,
        fp64_atomics: FloatAtomics::NONE,
        lines: &[],
    };

    /// The descriptor of a function for other modules of which there is only this.
    #[must_use]
    pub const fn export_with(spirv: Spirv) -> ExportDescriptor {
        ExportDescriptor {
            name: "export",
            spirv,
            imports: &[],
            unchecked: false,
            requirements: NO_REQUIREMENTS,
        }
    }

    /// The descriptor of a kernel of which there is only this.
    #[must_use]
    pub const fn kernel_with(spirv: Spirv) -> KernelDescriptor {
        KernelDescriptor {
            name: "kernel",
            spirv,
            specializations: &[],
            imports: &[],
            arguments: &[],
            rank: 1,
            group_size: None,
            subgroup_size: None,
            depends_on_groups: true,
            local_memory: 0,
            correctly_rounded: true,
            indirect: false,
            unchecked: false,
            races: &[],
            assumes_distinct: &[],
            requirements: NO_REQUIREMENTS,
            conditions: &[],
            presumptions: &[],
            access_places: kernel_core::AccessPlaces::NONE,
            fault_sites: kernel_core::FaultSites::NONE,
            print_sites: &[],
            hoisted: None,
            small: None,
            ir: None,
        }
    }

    /// A kernel without a module, for tests of what is made of the rest.
    #[cfg(test)]
    pub(crate) const INVALID: KernelDescriptor = {
        fn missing() -> ! {
            unreachable!("nobody asks for the module")
        }
        kernel_with(Spirv::missing(missing))
    };
}

/// The module of code that did not compile, which no program can have: where the errors have been reported, this is no other one, and where nobody has
/// reported any, this is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __missing {
    ($($why:tt)*) => {{
        fn missing<T>() -> ! {
            const { $($why)* }
        }
        $crate::__private::kernel_core::descriptor::Spirv::missing(missing::<()>)
    }};
}

/// Stands in for an item that has no macro, in the chain of a kernel: shows an error, and says so to the end of the chain.
#[doc(hidden)]
#[macro_export]
macro_rules! __unknown {
    (@probe $($error:tt)*) => { $($error)* };
    (@k [($($next:tt)*) $($more:tt)*] $found:tt $state:tt) => {
        $($next)* ! { @k [$($more)*] [$found {unknown}] $state }
    };
}
