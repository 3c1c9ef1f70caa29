//! Arrays of a fixed size that belong to one work-item.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// Filled by repetition, written and read at indices that only the run decides.
#[kernel]
pub fn histogram(x: &[u32], most_frequent: &mut [u32]) {
    let i = global_id(0);
    let mut counts = [0; 10];
    let mut rest = x[i];
    while rest > 0 {
        counts[(rest % 10) as usize] += 1;
        rest /= 10;
    }
    let mut best = 0;
    for digit in 1..10 {
        if counts[digit] > counts[best] {
            best = digit;
        }
    }
    most_frequent[i] = best as u32 * 100 + counts[best];
}

fn histogram_on_host(x: u32) -> u32 {
    let mut counts = [0; 10];
    let mut rest = x;
    while rest > 0 {
        counts[rest as usize % 10] += 1;
        rest /= 10;
    }
    let best = (0..10).rev().max_by_key(|&digit| counts[digit]).unwrap_or(0);
    best as u32 * 100 + counts[best]
}

/// Listed elements, the length, and bytes that are `bool`.
#[kernel]
pub fn table(x: &[u32], result: &mut [f64], is_prime: &mut [bool]) {
    let i = global_id(0);
    let powers = [1.0, 2.5, 6.25, 15.625];
    let prime: [bool; 8] = [false, false, true, true, false, true, false, true];
    result[i] = powers[x[i] as usize % powers.len()];
    is_prime[i] = prime[(x[i] & 7) as usize];
}

/// An insertion sort of a whole array.
#[kernel]
pub fn sorted(x: &[i16], result: &mut [i16]) {
    let i = global_id(0);
    let mut row: [i16; 8] = [0; 8];
    for k in 0..8 {
        row[k] = x[i * 8 + k];
    }
    for end in 1..8 {
        let mut k = end;
        while k > 0 && row[k - 1] > row[k] {
            let t = row[k];
            row[k] = row[k - 1];
            row[k - 1] = t;
            k -= 1;
        }
    }
    result[i] = row[0] * 3 + row[3] - row[7];
}

fn sorted_on_host(row: &[i16]) -> i16 {
    let mut row = row.to_vec();
    row.sort_unstable();
    row[0] * 3 + row[3] - row[7]
}

pub fn cases() -> Vec<Case> {
    let numbers = [0_u32, 7, 11, 1223, 909_090, 123_456_789, u32::MAX];
    let small: Vec<u32> = (0..20).collect();
    let powers = [1.0, 2.5, 6.25, 15.625];
    let rows: Vec<i16> = (0..80).map(|k| (k * 79) % 211 - 100).collect();
    vec![
        Case::of(&HISTOGRAM).input(&numbers).output(&map(&numbers, histogram_on_host)).items([numbers.len()]),
        Case::of(&TABLE)
            .input(&small)
            .output(&map(&small, |x| powers[x as usize % 4]))
            .output(&map(&small, |x| [2, 3, 5, 7].contains(&(x % 8))))
            .items([small.len()]),
        Case::of(&SORTED)
            .input(&rows)
            .output(&rows.chunks_exact(8).map(sorted_on_host).collect::<Vec<_>>())
            .items([10]),
    ]
}
