//! Scans and reductions of segments.
//!
//! A scan that starts anew at each head is a scan of pairs: what has been combined since the last head, and whether there has been one (Schwartz 1980, Blelloch 1990).

use crate::device::group::{fold_group, scan_group};
use kernel_runtime::prelude::*;

/// What the elements up to here come to.
#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Run<T> {
    /// Whether one of them is the first of a segment: 1, or else 0.
    pub started: u32,
    /// What those since the last of these come to.
    pub value: T,
}

#[device]
fn join<T: Copy>(a: Run<T>, b: Run<T>, combine: impl Fn(T, T) -> T) -> Run<T> {
    let value = if b.started == 1 { b.value } else { combine(a.value, b.value) };
    Run { started: a.started | b.started, value }
}

#[device]
fn element<T: Copy>(x: &[T], heads: &[u32], i: usize) -> Run<T> {
    Run { started: (heads[i] != 0) as u32, value: x[i] }
}

/// What each block of 2048 elements comes to.
#[device]
pub fn segment_sums<T: Copy>(
    x: &[T],
    heads: &[u32],
    sums: &mut [T],
    started: &mut [u32],
    tile: &mut Local<[Run<T>; 256]>,
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let start = group_id(0) * 2048 + local_id(0) * 8;
    let mut sum = Run { started: 0, value: identity };
    for k in 0..8 {
        if start + k < x.len() {
            sum = join(sum, element(x, heads, start + k), combine);
        }
    }
    let sum = fold_group(tile, sum, |a: Run<T>, b: Run<T>| join(a, b, combine));
    if local_id(0) == 0 {
        sums[group_id(0)] = sum.value;
        started[group_id(0)] = sum.started;
    }
}

/// Scans each block. `before` has for each of them what comes before it in its first segment. With `kind` 0 the element itself is included, with 1 it is not,
/// with 2 it is not either, but an element that starts a segment has what comes before that.
#[device]
#[allow(clippy::too_many_arguments, reason = "local memory is declared by kernels and handed on")]
pub fn scan_segments<T: Copy>(
    x: &[T],
    heads: &[u32],
    before: &[T],
    y: &mut [T],
    kind: u32,
    tile: &mut Local<[Run<T>; 256]>,
    rows: &mut Local<[Run<T>; 16]>,
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let start = group_id(0) * 2048 + local_id(0) * 8;
    let none = Run { started: 0, value: identity };
    let mut own = none;
    for k in 0..8 {
        if start + k < x.len() {
            own = join(own, element(x, heads, start + k), combine);
        }
    }
    let earlier = scan_group(tile, rows, none, own, |a: Run<T>, b: Run<T>| join(a, b, combine));
    let mut sum = join(Run { started: 0, value: before[group_id(0)] }, earlier, combine);
    for k in 0..8 {
        if start + k < x.len() && start + k < y.len() {
            let next = element(x, heads, start + k);
            let with_own = join(sum, next, combine);
            let without = if next.started == 1 && kind == 1 { identity } else { sum.value };
            y[start + k] = if kind == 0 { with_own.value } else { without };
            sum = with_own;
        }
    }
}

/// Combines the elements of the segment of each group, which is from one number of `offsets` to the next, in any order.
#[device]
pub fn reduce_segments<T: Copy>(
    x: &[T],
    offsets: &[u32],
    y: &mut [T],
    tile: &mut Local<[T; 256]>,
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let segment = group_id(0);
    let end = offsets[segment + 1] as usize;
    let mut sum = identity;
    let mut i = offsets[segment] as usize + local_id(0);
    while i < end {
        sum = combine(sum, x[i]);
        i += 256;
    }
    let sum = fold_group(tile, sum, combine);
    if local_id(0) == 0 {
        y[segment] = sum;
    }
}

/// Combines the elements of a segment by a work-item of its own, in their order.
#[device]
pub fn reduce_short_segments<T: Copy>(
    x: &[T],
    offsets: &[u32],
    y: &mut [T],
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let segment = global_id(0);
    if segment < y.len() {
        let mut sum = identity;
        for &x in &x[offsets[segment] as usize..offsets[segment + 1] as usize] {
            sum = combine(sum, x);
        }
        y[segment] = sum;
    }
}
