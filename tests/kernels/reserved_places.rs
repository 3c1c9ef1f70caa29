//! Places that a group or a subgroup reserves together, again and again, and that elements have by what they are.

use super::case::Case;
use kernel_runtime::atomic::{AtomicU32, AtomicU64, Ordering};
use kernel_runtime::prelude::*;

/// Keeps what is greater than a limit: the first of a group reserves for all, for one part of the numbers after the other.
#[kernel(group_size = 16)]
pub fn kept_by_groups(limit: u32, x: &[u32], count: &AtomicU32, places: &mut [u32]) {
    let mut start = Local::<u32>::new();
    let mut first = group_id(0) * local_size(0);
    while first < x.len() {
        let i = first + local_id(0);
        let keep = i < x.len() && x[i] > limit;
        let place = work_group::scan_exclusive_add(keep as u32);
        let total = work_group::reduce_add(keep as u32);
        if local_id(0) == 0 {
            *start = count.fetch_add(total, Ordering::Relaxed);
        }
        barrier();
        if keep {
            places[(*start + place) as usize] += 1;
        }
        barrier();
        first += global_size(0);
    }
}

/// The same by subgroups, which vote.
#[kernel]
pub fn kept_by_votes(limit: u32, x: &[u32], count: &AtomicU64, places: &mut [u32]) {
    for k in 0..4 {
        let i = global_id(0) + k * global_size(0);
        let keep = i < x.len() && x[i] > limit;
        let votes = subgroup::ballot(keep);
        let below = (1_u64 << subgroup::local_id()) - 1;
        let mut start = 0;
        if subgroup::local_id() == 0 {
            start = count.fetch_add(votes.count_ones() as u64, Ordering::Relaxed);
        }
        let start = subgroup::broadcast(start, 0);
        if keep {
            places[start as usize + (votes & below).count_ones() as usize] += 1;
        }
    }
}

/// Each group takes a piece of the work when it has done its last one.
#[kernel(group_size = 8)]
pub fn pieces_for_groups(n: u32, next: &AtomicU32, y: &mut [u32]) {
    let mut piece = Local::<u32>::new();
    loop {
        if local_id(0) == 0 {
            *piece = next.fetch_add(8, Ordering::Relaxed);
        }
        barrier();
        let first = *piece;
        barrier();
        if first >= n {
            break;
        }
        let i = first as usize + local_id(0);
        if i < y.len() {
            y[i] += i as u32;
        }
    }
}

/// Those at even places first, and then the others.
#[kernel]
pub fn evens_first(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let half = x.len().div_ceil(2);
    if i < x.len() {
        if i % 2 == 0 {
            y[i / 2] = x[i];
        } else {
            y[half + i / 2] = x[i];
        }
    }
}

/// An order in which neighbours differ by one bit.
#[kernel]
pub fn gray_coded(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i ^ (i >> 1)] = x[i];
}

/// Squares, by counters of 32 bits.
#[kernel]
pub fn squares_by_strides(n: u32, x: &[u32], y: &mut [u32]) {
    let stride = global_size(0) as u32;
    let mut i = global_id(0) as u32;
    while i < n {
        y[i as usize] = x[i as usize] * x[i as usize];
        i += stride;
    }
}

/// What the last of each subgroup has: the sum of all.
#[kernel(group_size = 32, subgroup_size = 16)]
pub fn sums_by_the_last(x: &[u32], y: &mut [u32]) {
    let sum = subgroup::scan_inclusive_add(x[global_id(0)]);
    if subgroup::local_id() == subgroup::size() - 1 {
        y[group_id(0) * subgroup::count() + subgroup::id()] = sum;
    }
}

/// So many ones, and then zeros.
fn ones(count: usize, len: usize) -> Vec<u32> {
    (0..len).map(|k| u32::from(k < count)).collect()
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..100_u32).map(|k| k * 37 % 101).collect();
    let kept = x.iter().filter(|x| **x > 50).count();
    let mut cases = Vec::new();
    for groups in [1, 3, 7, 9] {
        let case = Case::of(&KEPT_BY_GROUPS).scalar(50_u32).input(&x).refer_mut(0_u32, kept as u32);
        let case = case.update(&[0_u32; 100], &ones(kept, 100)).groups([groups], [16]);
        cases.push(case.label(format!("{groups} groups")));
    }
    for items in [25, 32, 100] {
        let case = Case::of(&KEPT_BY_VOTES).scalar(50_u32).input(&x).refer_mut(0_u64, kept as u64);
        let case = case.update(&[0_u32; 100], &ones(kept, 100)).items([items]);
        cases.push(case.label(format!("{items} work-items")));
    }
    for (groups, len) in [(1, 20), (3, 20), (9, 64)] {
        // Each group adds once more than there is work.
        let added = (len as u32).next_multiple_of(8) + 8 * groups as u32;
        let case = Case::of(&PIECES_FOR_GROUPS).scalar(len as u32).refer_mut(0_u32, added);
        let numbers: Vec<u32> = (0..len as u32).collect();
        let case = case.update(&vec![0_u32; len], &numbers).groups([groups], [8]);
        cases.push(case.label(format!("{groups} groups, {len} elements")));
    }
    for len in [1, 2, 63, 100] {
        let x = &x[..len];
        let (evens, odds) = (x.iter().step_by(2), x.iter().skip(1).step_by(2));
        let moved: Vec<u32> = evens.chain(odds).copied().collect();
        cases.push(
            Case::of(&EVENS_FIRST).input(x).output(&moved).items([100]).label(format!("{len} elements")),
        );
    }
    let mut coded = [0; 64];
    (0..64).for_each(|i| coded[i ^ (i >> 1)] = x[i]);
    let squares: Vec<u32> = x.iter().map(|x| x * x).collect();
    let sums: Vec<u32> = x[..96].chunks(16).map(|part| part.iter().sum()).collect();
    cases.extend([
        Case::of(&GRAY_CODED).input(&x[..64]).output(&coded).items([64]),
        Case::of(&SQUARES_BY_STRIDES).scalar(100_u32).input(&x).output(&squares).items([7]),
        Case::of(&SUMS_BY_THE_LAST).input(&x[..96]).output(&sums).groups([3], [32]),
    ]);
    cases
}
