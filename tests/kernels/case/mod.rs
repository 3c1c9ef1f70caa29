//! One launch of one kernel and all that is expected of it, apart from any device.
//!
//! Every consumer that executes kernels runs the same cases: it takes [`Case::device_arguments`], launches
//! [`Case::groups`] work-groups of [`Case::group_size`] work-items, and hands what memory holds afterwards to
//! [`Case::judge`].

mod compare;
mod expect;
mod launch;

pub use compare::Outcome;
pub use expect::ExpectedFault;
pub use launch::DeviceArgument;

use bytemuck::NoUninit;
use kernel_core::{Element, KernelDescriptor, Scalar};
use launch::Grid;
use std::panic::Location;

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
    arguments: Vec<Argument>,
    ulps: u32,
    fault: Option<ExpectedFault>,
    intel_opencl_error: Option<&'static str>,
}

/// One argument in the order of the kernel's signature, as bytes.
#[derive(Debug)]
enum Argument {
    /// A scalar passed by value.
    Scalar { scalar: Scalar, value: Vec<u8> },
    /// A slice, with what it holds before the launch and must hold after it.
    Slice { element: Scalar, before: Vec<u8>, after: Vec<u8> },
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
            arguments: Vec::new(),
            ulps: 0,
            fault: None,
            intel_opencl_error: None,
        }
    }

    /// Tells this case from the others of the same kernel in messages.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Passes a scalar by value.
    pub fn scalar<T: Element + NoUninit>(mut self, value: T) -> Self {
        let value = bytemuck::bytes_of(&value).to_vec();
        self.arguments.push(Argument::Scalar { scalar: T::SCALAR, value });
        self
    }

    /// Passes a slice that must hold the same elements after the launch.
    pub fn input<T: Element + NoUninit>(self, elements: &[T]) -> Self {
        self.update(elements, elements)
    }

    /// Passes a slice whose elements must change from `before` to `after`.
    pub fn update<T: Element + NoUninit>(mut self, before: &[T], after: &[T]) -> Self {
        assert_eq!(before.len(), after.len(), "a launch does not change the length of a slice");
        let bytes = |elements: &[T]| bytemuck::cast_slice(elements).to_vec();
        self.arguments.push(Argument::Slice {
            element: T::SCALAR,
            before: bytes(before),
            after: bytes(after),
        });
        self
    }

    /// Passes a slice whose every element must be written by the launch.
    ///
    /// Before the launch it holds the complement of what is expected, so that an element that is left out shows.
    pub fn output<T: Element + NoUninit>(mut self, expected: &[T]) -> Self {
        let after: Vec<u8> = bytemuck::cast_slice(expected).to_vec();
        let complement = if T::SCALAR == Scalar::Bool { 1 } else { 0xff };
        let before = after.iter().map(|byte| byte ^ complement).collect();
        self.arguments.push(Argument::Slice { element: T::SCALAR, before, after });
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

    /// Leaves the case out on Intel's OpenCL runtime, which gets it wrong in this way also without our compiler.
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
