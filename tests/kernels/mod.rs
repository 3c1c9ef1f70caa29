//! Every kernel of the project with the cases that show what it computes: one module for each construct of the
//! language, and one each for the examples and the benchmarks.
//!
//! Two programs include this tree: `tests/conformance.rs`, which runs the cases on a device of the runtime, and xtask,
//! which exports the kernels and has the cases executed elsewhere.
#![allow(unreachable_pub, reason = "a module of kernels is written as a library would be")]
#![allow(dead_code, reason = "the two programs use different parts, and the examples bring their `main`")]

pub mod case;

use case::Case;

/// One module of kernels.
#[derive(Clone, Copy, Debug)]
pub struct Construct {
    /// The name of the module.
    pub name: &'static str,
    /// Makes its cases.
    pub cases: fn() -> Vec<Case>,
}

/// All modules.
pub const CONSTRUCTS: &[Construct] = &[];

/// The cases of all modules.
pub fn cases() -> Vec<Case> {
    CONSTRUCTS.iter().flat_map(|construct| (construct.cases)()).collect()
}
