//! Kernels of which it is presumed that something does not wrap around, or is a power of two.

use super::case::Case;
use kernel_runtime::prelude::*;

/// One element of each row, as far as the width goes.
#[kernel]
pub fn rows(width: usize, y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width {
        y[row * width + column] = 1 + row as u32;
    }
}

/// The same in halves of rows.
#[kernel]
pub fn halves(width: usize, y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width / 2 {
        y[row * (width / 2) + column] = 1;
    }
}

/// Each work-item writes for the one three further on in a ring.
#[kernel]
pub fn ring(tile: &mut Local<[u32]>, y: &mut [u32]) {
    let l = local_id(0);
    tile[(l + 3) & (local_size(0) - 1)] = l as u32;
    barrier();
    y[global_id(0)] = tile[l];
}

/// Both elements of butterflies.
#[kernel]
pub fn butterflies(half: usize, y: &mut [u32]) {
    let t = global_id(0);
    let i = t / half * 2 * half + t % half;
    let (a, b) = (y[i], y[i + half]);
    y[i] = a + b;
    y[i + half] = a - b;
}

/// A square for each group, of which the launch has one row.
#[kernel(group_size = [4, 4])]
pub fn squares(y: &mut [u32]) {
    let (column, row) = (local_id(0), local_id(1));
    y[group_id(0) * 16 + row * 4 + column] = (10 * row + column) as u32;
}

/// One group, which the author says.
#[kernel(group_size = 16, requires(num_groups(0) == 1))]
pub fn alone(x: &[u32], y: &mut [u32]) {
    let sum = work_group::reduce_add(x[local_id(0)]);
    if local_id(0) == 0 {
        y[0] = sum;
    }
}

pub fn cases() -> Vec<Case> {
    let square: Vec<u32> = (0..16).map(|k| 10 * (k / 4) + k % 4).collect();
    vec![
        Case::of(&SQUARES).output(&square.repeat(3)).groups([3, 1], [4, 4]),
        Case::of(&ALONE).input(&square).output(&[square.iter().sum::<u32>()]).groups([1], [16]),
        Case::of(&ROWS).scalar(3_usize).update(&[0_u32; 6], &[1, 1, 1, 2, 2, 2]).items([3, 2]),
        Case::of(&HALVES).scalar(5_usize).update(&[0_u32; 6], &[1; 6]).items([4, 3]),
        Case::of(&RING)
            .local::<u32>(8)
            .update(&[9_u32; 24], &[5, 6, 7, 0, 1, 2, 3, 4].repeat(3))
            .groups([3], [8]),
        Case::of(&BUTTERFLIES)
            .scalar(1_usize)
            .update(&[5_u32, 4, 3, 2, 3, 0, 9, 8], &[9, 1, 5, 1, 3, 3, 17, 1])
            .items([4]),
    ]
}
