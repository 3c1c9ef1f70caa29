//! Counts in loops that are bounded by something else: of what is found, of what two rows share, from great numbers on, by other steps than the index.

use super::case::Case;
use kernel_runtime::prelude::*;

#[device]
fn above(row: &[f32], limit: f32) -> usize {
    let mut count = 0;
    for x in row {
        if *x > limit {
            count += 1;
        }
    }
    count
}

#[kernel]
pub fn shares_above(x: &[f32], width: usize, limit: f32, y: &mut [f32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = above(&x[i * width..(i + 1) * width], limit) as f32 / width as f32;
    }
}

#[device]
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            both += 1;
            i += 1;
            j += 1;
        } else if a[i] < b[j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    both
}

/// How many items each row of a list shares with the next one.
#[kernel]
pub fn shared_with_the_next(offsets: &[u32], items: &[u32], y: &mut [u64]) {
    let r = global_id(0);
    if r + 2 < offsets.len() {
        let a = &items[offsets[r] as usize..offsets[r + 1] as usize];
        let b = &items[offsets[r + 1] as usize..offsets[r + 2] as usize];
        y[r] = shared(a, b) as u64;
    }
}

#[device]
fn counts(x: &[u32], n: usize) -> [u64; 5] {
    let mut beyond = u32::MAX as usize - 2;
    let mut by_three = 0_usize;
    let mut wraps = usize::MAX - 1;
    let mut reset = 0_usize;
    let mut small = 250_u8;
    let mut k = 0;
    while k < n {
        if x[k] % 2 == 0 {
            beyond += 1;
            by_three += 3;
            wraps = wraps.wrapping_add(1);
            small = small.wrapping_add(1);
        }
        reset = if x[k] % 5 == 0 { 0 } else { reset + 1 };
        k += 1;
    }
    [beyond as u64, by_three as u64, wraps as u64, reset as u64, small as u64]
}

/// Counts that have more bits than the index, wrap, grow faster, or begin anew.
#[kernel]
pub fn unlike_the_index(x: &[u32], n: usize, y: &mut [[u64; 5]]) {
    let i = global_id(0);
    y[i] = counts(x, n.min(x.len() - i));
}

pub fn cases() -> Vec<Case> {
    let x: Vec<f32> = (0..60_u16).map(|i| f32::from(i * 7 % 11)).collect();
    let shares: Vec<f32> = x.chunks(10).map(|row| above(row, 4.5) as f32 / 10.0).collect();
    let offsets = [0_u32, 3, 3, 8, 12, 20];
    let items: Vec<u32> = [0..3, 0..5, 2..6, 1..9].into_iter().flatten().collect();
    let row = |r: usize| &items[offsets[r] as usize..offsets[r + 1] as usize];
    let common: Vec<u64> = (0..4).map(|r| shared(row(r), row(r + 1)) as u64).collect();
    let numbers: Vec<u32> = (0..40).map(|i| i * 7 % 13).collect();
    let unlike: Vec<[u64; 5]> = (0..16).map(|i| counts(&numbers, 33.min(numbers.len() - i))).collect();
    vec![
        Case::of(&SHARES_ABOVE).input(&x).scalar(10_usize).scalar(4.5_f32).output(&shares).items([16]),
        Case::of(&SHARED_WITH_THE_NEXT).input(&offsets).input(&items).output(&common).items([8]),
        Case::of(&UNLIKE_THE_INDEX).input(&numbers).scalar(33_usize).output(&unlike).items([16]),
    ]
}
