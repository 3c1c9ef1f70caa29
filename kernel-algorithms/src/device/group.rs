//! What the work-items of a group of 256 compute together, by functions of the caller's.
//!
//! All of it has the same order on every device, since no subgroup is involved: the values of a group are combined in rows of 16, and then the rows.
//! Only associativity is needed.

use kernel_runtime::prelude::*;

/// The work-items of a group.
pub const GROUP: usize = 256;

/// Combines a value of each work-item, in the order of the work-items. The work-item 0 has the result.
#[device]
pub fn fold_group<T: Copy>(tile: &mut Local<[T; 256]>, value: T, combine: impl Fn(T, T) -> T) -> T {
    let l = local_id(0);
    tile[l] = value;
    barrier();
    if l < 16 {
        let mut sum = tile[16 * l];
        for k in 1..16 {
            sum = combine(sum, tile[16 * l + k]);
        }
        tile[16 * l] = sum;
    }
    barrier();
    let mut sum = value;
    if l == 0 {
        sum = tile[0];
        for k in 1..16 {
            sum = combine(sum, tile[16 * k]);
        }
    }
    sum
}

/// Combines, for each work-item, the values of those before it.
#[device]
pub fn scan_group<T: Copy>(
    tile: &mut Local<[T; 256]>,
    rows: &mut Local<[T; 16]>,
    identity: T,
    value: T,
    combine: impl Fn(T, T) -> T,
) -> T {
    let l = local_id(0);
    tile[l] = value;
    barrier();
    if l < 16 {
        let mut sum = identity;
        for k in 0..16 {
            let next = tile[16 * l + k];
            tile[16 * l + k] = sum;
            sum = combine(sum, next);
        }
        rows[l] = sum;
    }
    barrier();
    if l == 0 {
        let mut sum = identity;
        for k in 0..16 {
            let next = rows[k];
            rows[k] = sum;
            sum = combine(sum, next);
        }
    }
    barrier();
    combine(rows[l / 16], tile[l])
}
