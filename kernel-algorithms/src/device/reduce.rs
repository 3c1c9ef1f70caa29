//! Reductions.

use crate::device::group::fold_group;
use kernel_runtime::prelude::*;

/// Combines the elements of each part of `x`, of which each group has one of `part` elements, in any order.
#[device]
pub fn reduce_parts<T: Copy>(
    x: &[T],
    part: usize,
    y: &mut [T],
    tile: &mut Local<[T; 256]>,
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let start = group_id(0) * part;
    let end = (start + part).min(x.len());
    let mut sum = identity;
    let mut i = start + local_id(0);
    while i < end {
        sum = combine(sum, x[i]);
        i += 256;
    }
    let sum = fold_group(tile, sum, combine);
    if local_id(0) == 0 {
        y[group_id(0)] = sum;
    }
}
