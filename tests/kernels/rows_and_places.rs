//! Rows whose width is a sum, rows of triangles, and places that a group reserves by one addition.

use super::case::Case;
use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// The inner elements of a matrix with a border.
#[kernel]
pub fn padded(width: usize, height: usize, x: &[u32], y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    if column < width && row < height {
        y[(row + 1) * (width + 2) + column + 1] = x[row * width + column];
    }
}

/// Where a window of the size fits.
#[kernel]
pub fn sums_of_windows(width: usize, height: usize, size: usize, x: &[u32], y: &mut [u32]) {
    let (out_width, out_height) = (width - size + 1, height - size + 1);
    let (column, row) = (global_id(0), global_id(1));
    if column < out_width && row < out_height {
        let mut sum = 0;
        for dy in 0..size {
            for dx in 0..size {
                sum += x[(row + dy) * width + column + dx];
            }
        }
        y[row * out_width + column] = sum;
    }
}

/// The lower half of a symmetric matrix.
#[kernel]
pub fn packed(n: usize, x: &[u32], y: &mut [u32]) {
    let (column, row) = (global_id(0), global_id(1));
    if row < n && column <= row {
        y[row * (row + 1) / 2 + column] = x[row * n + column];
    }
}

/// Counts in each place how often it is given out.
#[kernel(group_size = 16)]
pub fn reserved(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let mut start = Local::<u32>::new();
    let i = global_id(0);
    let keep = x[i] % 3 != 0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    if local_id(0) == 0 {
        *start = count.fetch_add(total, Ordering::Relaxed);
    }
    barrier();
    if keep {
        y[(*start + place) as usize] += 1;
    }
}

/// The first of the group tells the others by a broadcast.
#[kernel]
pub fn reserved_by_broadcast(x: &[u32], count: &AtomicU32, y: &mut [u32]) {
    let i = global_id(0);
    let keep = i < x.len() && x[i] % 3 != 0;
    let place = work_group::scan_exclusive_add(keep as u32);
    let total = work_group::reduce_add(keep as u32);
    let start = if local_id(0) == 0 { count.fetch_add(total, Ordering::Relaxed) } else { 0 };
    let start = work_group::broadcast(start, 0);
    if keep {
        y[start as usize + place as usize] += 1;
    }
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (100..148).collect();
    let (mut bordered, mut windows, mut triangle) = (vec![0_u32; 80], vec![0_u32; 24], Vec::<u32>::new());
    for (i, &number) in x.iter().enumerate() {
        let (row, column) = (i / 8, i % 8);
        bordered[(row + 1) * 10 + column + 1] = number;
        let reaches = |end: usize, size: usize| end.saturating_sub(2)..(end + 1).min(size);
        for (top, left) in reaches(row, 4).flat_map(|top| reaches(column, 6).map(move |left| (top, left))) {
            windows[top * 6 + left] += number;
        }
    }
    for row in 0..6 {
        triangle.extend(&x[row * 6..=row * 7]);
    }
    let kept = x.iter().filter(|number| *number % 3 != 0).count();
    let given_out: Vec<u32> = (0..48).map(|place| u32::from(place < kept)).collect();
    vec![
        Case::of(&PADDED)
            .scalar(8_usize)
            .scalar(6_usize)
            .input(&x)
            .update(&[0_u32; 80], &bordered)
            .items([11, 7]),
        Case::of(&SUMS_OF_WINDOWS)
            .scalar(8_usize)
            .scalar(6_usize)
            .scalar(3_usize)
            .input(&x)
            .output(&windows)
            .items([8, 6]),
        Case::of(&PACKED).scalar(6_usize).input(&x).output(&triangle).items([8, 8]),
        Case::of(&RESERVED)
            .input(&x)
            .refer_mut(0_u32, kept as u32)
            .update(&[0_u32; 48], &given_out)
            .items([48]),
        Case::of(&RESERVED_BY_BROADCAST)
            .input(&x)
            .refer_mut(0_u32, kept as u32)
            .update(&[0_u32; 48], &given_out)
            .groups([4], [14]),
    ]
}
