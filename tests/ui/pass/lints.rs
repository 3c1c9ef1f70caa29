//! What the macros write keeps to the strictest lints.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused, nonstandard_style)]
#![deny(rust_2018_idioms, unused_qualifications, single_use_lifetimes, trivial_casts, unused_results)]

use kernel_runtime::prelude::*;

/// The square of a number.
#[device]
pub fn sq(x: f32) -> f32 {
    x * x
}

/// A factor.
#[device]
const FACTOR: f32 = 2.0;

/// Squares every element, times a factor.
#[kernel]
pub fn squares(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = sq(x[i]) * FACTOR;
    }
}

/// One that is not public.
#[kernel(group_size = [8, 8], subgroup_size = 16, fp = "contract")]
pub(crate) fn hidden(_unused: u32, y: &mut [f32]) {
    y[global_id(1) * global_size(0) + global_id(0)] = 1.0;
}

/// One that is generic, and leaves a number to its launches.
#[kernel(T = [f32, u32], N = _, requires(N < y.len()))]
pub fn filled<T: Number, const N: usize>(y: &mut [T]) {
    y[global_id(0) + N] = T::ONE;
}

fn main() {
    let _ = (squares, hidden, filled::<u32>);
    let _ = (SQUARES.rank, HIDDEN.rank);
}
