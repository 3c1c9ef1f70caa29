//! One launch of one kernel and all that is expected of it, apart from any device.
//!
//! Every consumer that executes kernels runs the same cases: it takes [`Case::device_arguments`], launches
//! [`Case::groups`] work-groups of [`Case::group_size`] work-items, and hands what memory holds afterwards to
//! [`Case::judge`].

mod bytes;
mod compare;
mod expect;
mod image;
mod launch;
mod link;
mod printed;
mod typed;

pub use compare::Outcome;
pub use expect::ExpectedFault;
#[allow(unused_imports, reason = "the runtime takes typed arguments instead")]
pub use launch::{DeviceArgument, DeviceImageArgument};
pub use link::Link;
#[allow(unused_imports, reason = "only some programs launch a case again and again")]
pub use typed::DeviceSlice;

use image::TypedImage;
use kernel_core::image::SamplerState;
use kernel_core::{Element, KernelDescriptor, Scalar};
use kernel_runtime::LaunchArgument;
use launch::Grid;
use std::panic::Location;
use typed::Typed;

/// One launch of one kernel and all that is expected of it.
#[derive(Debug)]
pub struct Case {
    /// The kernel.
    pub kernel: &'static KernelDescriptor,
    /// The number of work-groups in each dimension.
    pub groups: [u32; 3],
    /// The number of work-items of a work-group in each dimension.
    pub group_size: [u32; 3],
    label: String,
    location: &'static Location<'static>,
    constants: Vec<u64>,
    library: &'static [&'static [u8]],
    arguments: Vec<Argument>,
    links: Vec<Link>,
    ulps: u32,
    fault: Option<ExpectedFault>,
    printed: Vec<String>,
    intel_opencl_error: Option<&'static str>,
    is_racy: bool,
}

/// One argument in the order of the kernel's signature, as bytes.
#[derive(Debug)]
enum Argument {
    /// Passed by value.
    Value { typed: Typed, value: Vec<u8> },
    /// A slice, with what it holds before the launch and must hold after it.
    Slice { typed: Typed, before: Vec<u8>, after: Vec<u8> },
    /// What a reference or a raw pointer leads to, with what that is before the launch and must be after it.
    Address { typed: Typed, before: Vec<u8>, after: Vec<u8> },
    /// Memory that is no argument, with what it holds before the launch and must hold after it.
    Elsewhere { typed: Typed, before: Vec<u8>, after: Vec<u8> },
    /// An image, with its texels before the launch and after it.
    Image { typed: TypedImage, before: Vec<u8>, after: Vec<u8> },
    /// So many elements of local memory.
    Local { typed: Typed, len: usize },
    /// A sampler.
    Sampler(SamplerState, fn(SamplerState) -> LaunchArgument),
}

impl Case {
    /// A launch of a single work-item without arguments, to be completed by the methods below.
    #[track_caller]
    pub fn of(kernel: &'static KernelDescriptor) -> Self {
        Self {
            kernel,
            groups: [1; 3],
            group_size: [1; 3],
            label: String::new(),
            location: Location::caller(),
            constants: Vec::new(),
            library: &[],
            arguments: Vec::new(),
            links: Vec::new(),
            ulps: 0,
            fault: None,
            printed: Vec::new(),
            intel_opencl_error: None,
            is_racy: false,
        }
    }

    /// Tells this case from the others of the same kernel in messages.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says that work-items race on purpose, all of them writing the same.
    pub fn races(mut self) -> Self {
        self.is_racy = true;
        self
    }

    /// Whether work-items race.
    #[allow(dead_code, reason = "not every program looks for races")]
    pub fn is_racy(&self) -> bool {
        self.is_racy
    }

    /// Sets the next of the constants that the kernel leaves to its launches, by its bit pattern.
    pub fn set(mut self, constant: u64) -> Self {
        self.constants.push(constant);
        self
    }

    /// The constants that the launch sets.
    pub fn constants(&self) -> &[u64] {
        &self.constants
    }

    /// Links the kernel with these modules, which have the functions that it imports.
    pub fn with(mut self, library: &'static [&'static [u8]]) -> Self {
        self.library = library;
        self
    }

    /// The modules that the kernel is linked with.
    pub fn library(&self) -> &'static [&'static [u8]] {
        self.library
    }

    /// Passes a scalar.
    pub fn scalar<T: Element>(self, value: T) -> Self {
        self.value(value)
    }

    /// Passes a scalar, an array or a struct by value.
    pub fn value<T: Element>(mut self, value: T) -> Self {
        self.arguments.push(Argument::Value { typed: Typed::of::<T>(), value: bytes::of(&[value]) });
        self
    }

    /// Passes a slice that must hold the same elements after the launch.
    pub fn input<T: Element>(self, elements: &[T]) -> Self {
        self.update(elements, elements)
    }

    /// Passes a slice whose elements must change from `before` to `after`.
    pub fn update<T: Element>(self, before: &[T], after: &[T]) -> Self {
        assert_eq!(before.len(), after.len(), "a launch does not change the length of a slice");
        self.slice::<T>(bytes::of(before), bytes::of(after))
    }

    /// Passes a slice whose every element must be written by the launch.
    ///
    /// Before the launch it holds the complement of what is expected, so that an element that is left out shows.
    pub fn output<T: Element>(self, expected: &[T]) -> Self {
        let after = bytes::of(expected);
        let mut before = after.clone();
        for element in before.chunks_exact_mut(size_of::<T>()) {
            T::TYPE.for_each_scalar(&mut |scalar, offset| {
                let complement = if scalar == Scalar::Bool { 1 } else { 0xff };
                element[offset..offset + scalar.size()].iter_mut().for_each(|byte| *byte ^= complement);
            });
        }
        self.slice::<T>(before, after)
    }

    /// Has the last output keep what it held before in these elements: a fault ends the work-items that would have written them.
    pub fn unwritten(mut self, elements: impl IntoIterator<Item = usize>) -> Self {
        let Some(Argument::Slice { typed, before, after }) = self.arguments.last_mut() else {
            panic!("an output comes first");
        };
        let size = typed.ty.layout().size as usize;
        for element in elements {
            let bytes = size * element..size * (element + 1);
            after[bytes.clone()].copy_from_slice(&before[bytes]);
        }
        self
    }

    /// Passes a reference to an element that must be the same after the launch.
    pub fn refer<T: Element>(self, element: T) -> Self {
        self.refer_mut(element, element)
    }

    /// Passes a reference to an element that must change from `before` to `after`.
    pub fn refer_mut<T: Element>(self, before: T, after: T) -> Self {
        self.point_mut(&[before], &[after])
    }

    /// Passes a raw pointer to elements that must be the same after the launch.
    pub fn point<T: Element>(self, elements: &[T]) -> Self {
        self.point_mut(elements, elements)
    }

    /// Passes a raw pointer to elements that must change from `before` to `after`.
    pub fn point_mut<T: Element>(mut self, before: &[T], after: &[T]) -> Self {
        let (before, after) = (bytes::of(before), bytes::of(after));
        self.arguments.push(Argument::Address { typed: Typed::of::<T>(), before, after });
        self
    }

    fn slice<T: Element>(mut self, before: Vec<u8>, after: Vec<u8>) -> Self {
        self.arguments.push(Argument::Slice { typed: Typed::of::<T>(), before, after });
        self
    }

    /// Passes local memory for so many elements.
    pub fn local<T: Element>(mut self, len: usize) -> Self {
        self.arguments.push(Argument::Local { typed: Typed::of::<T>(), len });
        self
    }

    /// Accepts floats up to this many units in the last place away from the expected ones; without this none.
    pub fn ulps(mut self, ulps: u32) -> Self {
        self.ulps = ulps;
        self
    }

    /// Launches exactly this many work-items in one to three dimensions, in work-groups of any size.
    pub fn items<const D: usize>(mut self, items: [usize; D]) -> Self {
        (self.groups, self.group_size) = Grid::covering(items, self.kernel.group_size).into_parts();
        self
    }

    /// Launches this many work-groups of this size.
    pub fn groups<const D: usize>(mut self, groups: [u32; D], group_size: [u32; D]) -> Self {
        (self.groups, self.group_size) = Grid::new(groups, group_size).into_parts();
        self
    }

    /// Expects the launch to report a fault; without this it must not.
    pub fn faults(mut self, fault: ExpectedFault) -> Self {
        self.fault = Some(fault);
        self
    }

    /// Leaves the case out on Intel's OpenCL runtime, whose error this is: it gets it wrong in this way also without our compiler, or crashes at a valid module.
    pub fn wrong_on_intel_opencl(mut self, how: &'static str) -> Self {
        self.intel_opencl_error = Some(how);
        self
    }

    /// What Intel's OpenCL runtime is known to do wrong here.
    pub fn intel_opencl_error(&self) -> Option<&'static str> {
        self.intel_opencl_error
    }

    /// Where the case is written and its label, for messages.
    pub fn origin(&self) -> String {
        let line = self.location.line();
        let label = if self.label.is_empty() { String::new() } else { format!(" ({})", self.label) };
        format!("line {line}{label}")
    }
}
