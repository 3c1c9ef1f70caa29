//! The methods of the integers that give an `Option`: what they give, and whether they do.

pub mod integers;
pub mod signed_integers;
pub mod unsigned_integers;

use super::case::Case;
use bytemuck::NoUninit;
use kernel_core::{Element, KernelDescriptor};
use kernel_runtime::prelude::*;

/// Takes an `Option` apart: into its value, or else zero, and whether it has one.
#[device]
fn put<T: Copy>(option: Option<T>, zero: T, value: &mut T, exists: &mut bool) {
    *value = zero;
    *exists = false;
    if let Some(found) = option {
        *value = found;
        *exists = true;
    }
}

/// Adds the outputs for a row of results that a kernel takes apart.
fn outputs<R: Element + NoUninit + Default>(case: Case, results: &[Option<R>]) -> Case {
    let values: Vec<R> = results.iter().map(|result| result.unwrap_or_default()).collect();
    let exist: Vec<bool> = results.iter().map(Option::is_some).collect();
    case.output(&values).output(&exist)
}

/// A case with two rows of inputs.
fn of_two<A, B>(kernel: &'static KernelDescriptor, a: &[A], b: &[B]) -> Case
where
    A: Element + NoUninit,
    B: Element + NoUninit,
{
    Case::of(kernel).input(a).input(b).items([a.len()])
}

pub fn cases() -> Vec<Case> {
    let modules = [integers::cases(), signed_integers::cases(), unsigned_integers::cases()];
    modules.into_iter().flatten().collect()
}
