//! Numbers of which only the author knows that no two work-items get the same.

use super::case::Case;
use kernel_runtime::prelude::*;

/// A permutation of rows of three.
#[kernel]
pub fn permuted_rows(index: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    // SAFETY: the cases give each index once.
    let j = unsafe { assume_distinct(index[i]) } as usize;
    for k in 0..3 {
        y[3 * j + k] = x[3 * i + k];
    }
}

/// Where an element goes.
#[device]
fn place(index: &[i16], i: usize) -> i16 {
    // SAFETY: all callers have an index that is there once.
    unsafe { assume_distinct(index[i]) }
}

/// Numbers below zero are not written.
#[kernel]
pub fn permuted_by_a_function(index: &[i16], y: &mut [u32]) {
    let i = global_id(0);
    let j = place(index, i);
    if j >= 0 {
        y[j as usize] = i as u32;
    }
}

/// The ranks of different keys, within groups.
#[kernel(group_size = 8)]
pub fn sorted_in_groups(x: &[u32], y: &mut [u32]) {
    let mut keys = Local::<[u32; 8]>::new();
    let mut sorted = Local::<[u32; 8]>::new();
    let (l, i) = (local_id(0), global_id(0));
    keys[l] = x[i];
    barrier();
    let rank = keys.iter().filter(|key| **key < x[i]).count();
    // SAFETY: the keys of a group differ, so their ranks do.
    let rank = unsafe { work_group::assume_distinct(rank) };
    sorted[rank] = x[i];
    barrier();
    y[i] = sorted[l];
}

pub fn cases() -> Vec<Case> {
    let index: Vec<u32> = (0..16).map(|i| i * 5 % 16).collect();
    let x: Vec<f32> = (0..48).map(|k| k as f32).collect();
    let mut rows = vec![0.0; 48];
    for (i, &j) in index.iter().enumerate() {
        let j = j as usize;
        rows[3 * j..3 * j + 3].copy_from_slice(&x[3 * i..3 * i + 3]);
    }
    let keys: Vec<u32> = (0..32).map(|i| i * 11 % 32).collect();
    let mut sorted = keys.clone();
    sorted.chunks_mut(8).for_each(<[u32]>::sort_unstable);
    vec![
        Case::of(&PERMUTED_ROWS).input(&index).input(&x).output(&rows).items([16]),
        Case::of(&PERMUTED_BY_A_FUNCTION)
            .input(&[3_i16, -1, 0, 2])
            .update(&[9_u32; 4], &[2, 9, 3, 0])
            .items([4]),
        Case::of(&SORTED_IN_GROUPS).input(&keys).output(&sorted).items([32]),
    ]
}
