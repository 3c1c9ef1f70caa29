//! Every kernel of the examples, tests and benchmarks, with the cases that show what it computes.
#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "the kernels and cases are those of tests, and no interface"
)]

#[path = "../../../tests/conformance/device.rs"]
pub mod device;
#[path = "../../../tests/kernels/mod.rs"]
pub mod kernels;
#[path = "../../../tests/kernels/programs/mod.rs"]
pub mod programs;

use kernel_core::KernelDescriptor;
use kernels::case::Case;

/// A kernel of the project.
#[derive(Debug)]
pub struct Kernel {
    /// The path of its function below the module `kernels`, or below the crate if it is one of `programs`.
    pub path: &'static str,
    /// What the macro made of it.
    pub descriptor: &'static KernelDescriptor,
}

/// Every kernel of the project; `build.rs` sees to it that none is missing.
pub static KERNELS: &[Kernel] = include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// The cases of all kernels.
pub fn cases() -> Vec<Case> {
    let mut cases = programs::cases();
    cases.extend(kernels::cases());
    cases
}

impl Kernel {
    /// Returns whether a kernel is asked for, by a part of its path or since no names are given.
    #[must_use]
    pub fn is_named(&self, names: &[impl AsRef<str>]) -> bool {
        names.is_empty() || names.iter().any(|name| self.path.contains(name.as_ref()))
    }
}
