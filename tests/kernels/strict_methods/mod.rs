//! The methods of the numbers that panic in Rust for some arguments, in a release build too: they report a fault and go on.

pub mod floats;
pub mod integers;
pub mod signed_integers;
pub mod unsigned_integers;

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;

/// A case in which as many work-items fault as there are arguments without a result, if any.
fn faulting<R>(case: Case, kind: FaultKind, results: &[Option<R>]) -> Case {
    match results.iter().filter(|result| result.is_none()).count() {
        0 => case,
        count => case.faults(ExpectedFault::new(kind).count(count as u32)),
    }
}

pub fn cases() -> Vec<Case> {
    let modules = [integers::cases(), signed_integers::cases(), unsigned_integers::cases(), floats::cases()];
    modules.into_iter().flatten().collect()
}
