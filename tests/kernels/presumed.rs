//! Kernels of which it is presumed that something does not wrap around, is a power of two, or is not zero.

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

/// Cells of one colour take the mean of their neighbours, which are of the other one.
#[kernel]
pub fn relaxed(w: usize, h: usize, colour: usize, u: &mut [f32]) {
    let (x, y) = (global_id(0), global_id(1));
    if x == 0 || y == 0 || x + 1 >= w || y + 1 >= h || (x + y) % 2 != colour {
        return;
    }
    let i = y * w + x;
    u[i] = (u[i - 1] + u[i + 1] + u[i - w] + u[i + w]) / 4.0;
}

/// The same on a torus, with numbers that the neighbours add up to.
#[kernel]
pub fn torus(w: usize, h: usize, colour: usize, u: &mut [i32]) {
    let (x, y) = (global_id(0), global_id(1));
    if x >= w || y >= h || (x + y) % 2 != colour || w % 2 != 0 || h % 2 != 0 {
        return;
    }
    let left = if x == 0 { w - 1 } else { x - 1 };
    let right = if x == w - 1 { 0 } else { x + 1 };
    let up = if y == 0 { h - 1 } else { y - 1 };
    let down = if y == h - 1 { 0 } else { y + 1 };
    u[y * w + x] = u[y * w + left] + u[y * w + right] + u[up * w + x] + u[down * w + x];
}

/// Mean and difference of each pair of elements at a distance.
#[kernel]
pub fn wavelet(step: usize, x: &mut [f32]) {
    let i = global_id(0) * 2 * step;
    if i + step < x.len() {
        let (a, b) = (x[i], x[i + step]);
        x[i] = (a + b) * 0.5;
        x[i + step] = (a - b) * 0.5;
    }
}

/// What each group keeps, in a row of its own.
#[kernel(group_size = 8)]
pub fn kept_by_groups(x: &[i32], kept: &mut [i32], counts: &mut [u32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] > 0;
    let at = work_group::scan_exclusive_add(keep as u32);
    if keep {
        kept[group_id(0) * 8 + at as usize] = x[i];
    }
    if local_id(0) == 7 {
        counts[group_id(0)] = at + keep as u32;
    }
}

/// The grid of `relaxed` before and after.
fn grids() -> [Vec<f32>; 2] {
    let before: Vec<f32> = (0..30).map(|k| (k * k % 17) as f32).collect();
    let mut after = before.clone();
    for (y, x) in (1..4).flat_map(|y| (1..5).map(move |x| (y, x))) {
        if (x + y) % 2 == 1 {
            let i = y * 6 + x;
            after[i] = (before[i - 1] + before[i + 1] + before[i - 6] + before[i + 6]) / 4.0;
        }
    }
    [before, after]
}

/// The torus before and after.
fn tori() -> [Vec<i32>; 2] {
    let before: Vec<i32> = (0..24).map(|k| k * k % 19).collect();
    let mut after = before.clone();
    for (y, x) in (0..4).flat_map(|y| (0..6).map(move |x| (y, x))) {
        if (x + y) % 2 == 0 {
            let at = |x: usize, y: usize| before[y % 4 * 6 + x % 6];
            after[y * 6 + x] = at(x + 5, y) + at(x + 1, y) + at(x, y + 3) + at(x, y + 1);
        }
    }
    [before, after]
}

pub fn cases() -> Vec<Case> {
    let [grid, relaxed] = grids();
    let [torus, summed] = tori();
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
        Case::of(&RELAXED)
            .scalar(6_usize)
            .scalar(5_usize)
            .scalar(1_usize)
            .update(&grid, &relaxed)
            .items([8, 5]),
        Case::of(&TORUS)
            .scalar(6_usize)
            .scalar(4_usize)
            .scalar(0_usize)
            .update(&torus, &summed)
            .items([6, 4]),
        Case::of(&WAVELET)
            .scalar(2_usize)
            .update(
                &[1.0_f32, 9.0, 3.0, 9.0, 8.0, 9.0, 2.0, 9.0, 4.0],
                &[2.0, 9.0, -1.0, 9.0, 5.0, 9.0, 3.0, 9.0, 4.0],
            )
            .items([3]),
        Case::of(&KEPT_BY_GROUPS)
            .input(&[3, -1, 0, 5, 6, -2, 1, 1, -4, 7, 2])
            .update(&[0; 16], &[3, 5, 6, 1, 1, 0, 0, 0, 7, 2, 0, 0, 0, 0, 0, 0])
            .output(&[5_u32, 2])
            .groups([2], [8]),
    ]
}
