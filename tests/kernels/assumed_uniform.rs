//! Conditions of which only the author knows that they are the same for a group.

use super::case::Case;
use kernel_runtime::prelude::*;

/// Each round hands every value on to the next work-item of the work-group; the number of rounds is in memory that could be written to.
///
/// # Safety
///
/// `rounds` has the same number for all work-items of a work-group.
#[kernel]
pub unsafe fn assumed_rounds(x: &[u32], rounds: &mut [u32], y: &mut [u32]) {
    let mut row = Local::<[u32; 64]>::new();
    let (i, l) = (global_id(0), local_id(0));
    row[l] = x[i];
    // SAFETY: the caller says so.
    let count = unsafe { work_group::assume_uniform(rounds[i]) };
    for round in 0..count {
        barrier();
        let other = row[(l + 1) % local_size(0)];
        barrier();
        row[l] = other + round;
    }
    rounds[i] = 0;
    y[i] = row[l];
}

/// A sum over the subgroup, if its first work-item wants one.
#[kernel]
pub fn assumed_condition(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 1;
    // SAFETY: all work-items of a subgroup compare the id of the first one.
    let first = unsafe { subgroup::assume_uniform(i - subgroup::local_id()) };
    if x[first] % 2 == 0 {
        y[i] += u32::from(subgroup::reduce_max(x[i] / 1000) == 0);
    }
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..96).map(|k| k * 2).collect();
    let rounds = |size: usize| {
        let count = |i: usize| (i / size) as u32 % 5;
        let y: Vec<u32> = (0..96)
            .map(|i| {
                let count = count(i);
                x[i / size * size + (i % size + count as usize) % size] + (0..count).sum::<u32>()
            })
            .collect();
        let counts: Vec<u32> = (0..96).map(count).collect();
        let case = Case::of(&ASSUMED_ROUNDS).input(&x).update(&counts, &[0; 96]).output(&y);
        case.groups([(96 / size) as u32], [size as u32]).label(format!("groups of {size}"))
    };
    vec![
        rounds(32),
        rounds(1),
        rounds(6),
        Case::of(&ASSUMED_CONDITION).input(&x).output(&[2_u32; 96]).groups([3], [32]),
    ]
}
