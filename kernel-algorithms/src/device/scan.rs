//! Prefix sums in three steps: the sum of each block, a scan of these, and a scan of each block that starts with what is before it.

use crate::device::group::{fold_group, scan_group};
use kernel_runtime::prelude::*;

/// How many elements in a row each work-item has.
pub const ITEMS: usize = 8;

/// Combines the elements of each block of 2048, in their order.
#[device]
pub fn block_sums<T: Copy>(
    x: &[T],
    sums: &mut [T],
    tile: &mut Local<[T; 256]>,
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let start = group_id(0) * 2048 + local_id(0) * 8;
    let mut sum = identity;
    for k in 0..8 {
        if start + k < x.len() {
            sum = combine(sum, x[start + k]);
        }
    }
    let sum = fold_group(tile, sum, combine);
    if local_id(0) == 0 {
        sums[group_id(0)] = sum;
    }
}

/// Combines each element, if `inclusive`, and all before it; `before` has for each block what comes before it.
#[device]
#[allow(clippy::too_many_arguments, reason = "local memory is declared by kernels and handed on")]
pub fn scan_blocks<T: Copy>(
    x: &[T],
    before: &[T],
    y: &mut [T],
    inclusive: bool,
    tile: &mut Local<[T; 256]>,
    rows: &mut Local<[T; 16]>,
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let start = group_id(0) * 2048 + local_id(0) * 8;
    let mut own = identity;
    for k in 0..8 {
        if start + k < x.len() {
            own = combine(own, x[start + k]);
        }
    }
    let earlier = scan_group(tile, rows, identity, own, combine);
    let mut sum = combine(before[group_id(0)], earlier);
    for k in 0..8 {
        if start + k < x.len() && start + k < y.len() {
            let with_own = combine(sum, x[start + k]);
            y[start + k] = if inclusive { with_own } else { sum };
            sum = with_own;
        }
    }
}
