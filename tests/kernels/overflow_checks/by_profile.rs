//! Kernels that do not say what is done about overflow: it is checked where the crate does. The tests do, and xtask
//! does not, in profiles that have debug assertions where they have these checks. `cargo xtask profiles` sets the two apart.

use super::super::case::{Case, ExpectedFault};
use device_library::doubled;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

/// Names nothing but what comes with the runtime.
#[kernel]
pub fn by_intrinsics(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = x[i] * 2;
}

#[device]
fn twice(value: u32) -> u32 {
    value * 2
}

/// Names a device function of this crate.
#[kernel]
pub fn by_function(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = twice(x[i]);
}

/// Names one of another crate, which may be built otherwise.
#[kernel]
pub fn by_other_crate(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = doubled(x[i]);
}

/// Names nothing at all, so that there is no chain.
#[kernel(requires(global_size(0) == 1))]
pub fn by_nothing(x: &[u32], result: &mut [u32]) {
    for (k, value) in x.iter().enumerate() {
        result[k] = *value * 2;
    }
}

#[kernel(T = [u32, u64])]
pub fn generic<T: Integer>(x: &[T], result: &mut [T]) {
    let i = global_id(0);
    result[i] = x[i] * (T::ONE + T::ONE);
}

/// Nothing in it can overflow, whatever the setting is.
#[kernel]
pub fn without_need(x: &[u32], result: &mut [u64]) {
    let i = global_id(0);
    if i < x.len() && i < result.len() {
        result[i] = x[i] as u64 * 2;
    }
}

/// All cases of this file.
pub fn cases() -> Vec<Case> {
    let case = |kernel, items| {
        let case = Case::of(kernel).input(&[3, 1_u32 << 31, 5]).output(&[6_u32, 0, 10]).items([items]);
        let fault = ExpectedFault::new(FaultKind::MultiplicationOverflow).count(1).values([1 << 31, 2]);
        // A single work-item does not come to what follows either.
        let unwritten = if items == 1 { 1..3 } else { 1..2 };
        if cfg!(debug_assertions) { case.unwritten(unwritten).faults(fault) } else { case }
    };
    vec![
        case(&BY_INTRINSICS, 3),
        case(&BY_FUNCTION, 3),
        case(&BY_OTHER_CRATE, 3),
        case(&BY_NOTHING, 1),
        case(&GENERIC_U32, 3),
        Case::of(&GENERIC_U64).input(&[1_u64 << 31]).output(&[1_u64 << 32]).items([1]),
        Case::of(&WITHOUT_NEED).input(&[1_u32 << 31, 2]).output(&[1_u64 << 32, 4]).items([3]),
    ]
}
