//! `#[kernel(overflow = "check")]`: where Rust panics if the exact result does not fit, there is a fault, which
//! ends the work-item; beside a barrier it goes on with the wrapped result.

pub mod by_profile;
pub mod conversions;
pub mod counters;
pub mod forms;
pub mod methods;
pub mod operators;
pub mod products;
pub mod vectors;

use super::case::{Case, ExpectedFault};
use kernel_core::{Element, FaultKind};

/// A case with these wrapped results, in which the work-items fault whose own is not exact.
fn wrapping<R: Element + bytemuck::NoUninit>(case: Case, kind: FaultKind, results: &[(R, bool)]) -> Case {
    let wrapped: Vec<R> = results.iter().map(|(result, _)| *result).collect();
    let case = case.output(&wrapped).items([results.len()]);
    let faulting: Vec<usize> = (0..results.len()).filter(|item| results[*item].1).collect();
    match faulting.len() {
        0 => case,
        count => case.unwritten(faulting).faults(ExpectedFault::new(kind).count(count as u32)),
    }
}

pub fn cases() -> Vec<Case> {
    let modules = [
        by_profile::cases(),
        operators::cases(),
        products::cases(),
        methods::cases(),
        conversions::cases(),
        counters::cases(),
        forms::cases(),
        vectors::cases(),
    ];
    modules.into_iter().flatten().collect()
}
