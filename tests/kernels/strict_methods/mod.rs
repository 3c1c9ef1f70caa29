//! The methods of the numbers that panic in Rust for some arguments, in a release build too: a fault ends the work-item.

pub mod floats;
pub mod integers;
pub mod signed_integers;
pub mod unsigned_integers;

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;

/// A case in which the work-items fault whose arguments have no result.
fn faulting<R>(case: Case, kind: FaultKind, results: &[Option<R>]) -> Case {
    match without(results).count() {
        0 => case,
        count => case.unwritten(without(results)).faults(ExpectedFault::new(kind).count(count as u32)),
    }
}

/// The arguments without a result.
fn without<R>(results: &[Option<R>]) -> impl Iterator<Item = usize> {
    results.iter().enumerate().filter(|(_, result)| result.is_none()).map(|(index, _)| index)
}

pub fn cases() -> Vec<Case> {
    let modules = [integers::cases(), signed_integers::cases(), unsigned_integers::cases(), floats::cases()];
    modules.into_iter().flatten().collect()
}
