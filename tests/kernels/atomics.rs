//! Atomics of 32 and 64 bits in the memory that the host passes: every method and every ordering.

use super::case::{Case, ExpectedFault};
use kernel_core::FaultKind;
use kernel_runtime::atomic::{
    AtomicI32, AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Ordering, Scope, Scoped,
};
use kernel_runtime::prelude::*;

/// How often each value occurs; all work-items meet in few places.
#[kernel]
pub fn occurrences(values: &[u32], counts: &[AtomicU32]) {
    let i = global_id(0);
    counts[values[i] as usize % counts.len()].fetch_add(1, Ordering::Relaxed);
}

/// A loop over all that a work-item comes to, which a launch may have fewer of than values.
#[kernel]
pub fn occurrences_in_steps(values: &[u32], counts: &[AtomicU32], total: &AtomicU64) {
    let mut i = global_id(0);
    while i < values.len() {
        let value = values[i];
        counts[value as usize & 7].fetch_add(1, Ordering::Relaxed);
        total.fetch_add(value as u64, Ordering::Relaxed);
        i += global_size(0);
    }
}

/// A step through a graph: each node of a level takes its neighbours to the next one, and counts how often they are reached.
#[kernel]
pub fn next_level(rows: &[u32], columns: &[u32], level: u32, levels: &[AtomicU32], reached: &[AtomicU32]) {
    let node = global_id(0);
    if levels[node].load(Ordering::Relaxed) != level {
        return;
    }
    for e in rows[node]..rows[node + 1] {
        let neighbour = columns[e as usize] as usize;
        reached[neighbour].fetch_add(1, Ordering::Relaxed);
        if levels[neighbour].load(Ordering::Relaxed) > level + 1 {
            levels[neighbour].store(level + 1, Ordering::Relaxed);
        }
    }
}

/// What does not depend on who comes first.
#[kernel]
pub fn combined_by_all(x: &[i32], results: &[AtomicI32]) {
    let value = x[global_id(0)];
    results[0].fetch_add(value, Ordering::SeqCst);
    results[1].fetch_sub(value, Ordering::AcqRel);
    results[2].fetch_min(value, Ordering::Acquire);
    results[3].fetch_max(value, Ordering::Release);
    results[4].fetch_and(value, Ordering::Relaxed);
    results[5].fetch_or(value, Ordering::SeqCst);
    results[6].fetch_xor(value, Ordering::Relaxed);
}

#[kernel]
pub fn combined_by_all_in_64_bits(x: &[i64], results: &[AtomicI64], unsigned: &[AtomicU64; 3]) {
    let value = x[global_id(0)];
    results[0].fetch_add(value, Ordering::SeqCst);
    results[1].fetch_sub(value, Ordering::AcqRel);
    results[2].fetch_min(value, Ordering::Acquire);
    results[3].fetch_max(value, Ordering::Release);
    results[4].fetch_and(value, Ordering::Relaxed);
    results[5].fetch_or(value, Ordering::SeqCst);
    results[6].fetch_xor(value, Ordering::Relaxed);
    unsigned[0].fetch_min(value as u64, Ordering::Relaxed);
    unsigned[1].fetch_max(value as u64, Ordering::Relaxed);
    unsigned[2].update(Ordering::AcqRel, Ordering::Acquire, |sum| sum.wrapping_add(value as u64 >> 32));
}

/// Each method on an element of the work-item's own, so that what it gives is known too.
#[kernel]
pub fn methods_of_u32(cells: &[AtomicU32], x: &[u32], seen: &mut [[u32; 18]]) {
    let i = global_id(0);
    let cell = &cells[i];
    let value = x[i];
    let mut before = [0; 18];
    before[0] = cell.load(Ordering::Relaxed);
    before[1] = cell.swap(value, Ordering::AcqRel);
    before[2] = cell.fetch_add(value, Ordering::Release);
    before[3] = cell.fetch_sub(1, Ordering::Acquire);
    before[4] = cell.fetch_and(0xffff_00ff, Ordering::SeqCst);
    before[5] = cell.fetch_nand(value, Ordering::SeqCst);
    before[6] = cell.fetch_or(0x0f00, Ordering::Relaxed);
    before[7] = cell.fetch_xor(value, Ordering::Relaxed);
    before[8] = cell.fetch_max(0x8000_0000, Ordering::Relaxed);
    before[9] = cell.fetch_min(0xf000_0000, Ordering::Relaxed);
    before[10] = match cell.compare_exchange(value, 1, Ordering::SeqCst, Ordering::Acquire) {
        Ok(old) => old,
        Err(now) => !now,
    };
    let now = cell.load(Ordering::Acquire);
    before[11] = match cell.compare_exchange(now, value, Ordering::Release, Ordering::Relaxed) {
        Ok(old) => old,
        Err(now) => !now,
    };
    before[12] = cell.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| old.checked_add(3)).unwrap_or(7);
    before[13] = match cell
        .try_update(Ordering::Relaxed, Ordering::Relaxed, |old| if old == 3 { None } else { Some(old ^ 5) })
    {
        Ok(old) => old,
        Err(now) => now + 100,
    };
    before[14] = cell.update(Ordering::Relaxed, Ordering::Relaxed, |old| old.rotate_left(4));
    cell.store(before[14] / 3, Ordering::Release);
    before[15] = cell.load(Ordering::SeqCst);
    before[16] = AtomicU32::fetch_add(cell, 9, Ordering::Relaxed);
    before[17] = cell.compare_exchange_weak(0, 1, Ordering::Relaxed, Ordering::Relaxed).is_ok() as u32;
    cell.store(value, Ordering::SeqCst);
    seen[i] = before;
}

/// The host runs the same code on atomics of its own.
fn seen_on_host(cell: u32, value: u32) -> [u32; 18] {
    let cell = AtomicU32::new(cell);
    let mut before = [0; 18];
    before[0] = cell.load(Ordering::Relaxed);
    before[1] = cell.swap(value, Ordering::AcqRel);
    before[2] = cell.fetch_add(value, Ordering::Release);
    before[3] = cell.fetch_sub(1, Ordering::Acquire);
    before[4] = cell.fetch_and(0xffff_00ff, Ordering::SeqCst);
    before[5] = cell.fetch_nand(value, Ordering::SeqCst);
    before[6] = cell.fetch_or(0x0f00, Ordering::Relaxed);
    before[7] = cell.fetch_xor(value, Ordering::Relaxed);
    before[8] = cell.fetch_max(0x8000_0000, Ordering::Relaxed);
    before[9] = cell.fetch_min(0xf000_0000, Ordering::Relaxed);
    before[10] =
        cell.compare_exchange(value, 1, Ordering::SeqCst, Ordering::Acquire).unwrap_or_else(|now| !now);
    let now = cell.load(Ordering::Acquire);
    before[11] =
        cell.compare_exchange(now, value, Ordering::Release, Ordering::Relaxed).unwrap_or_else(|now| !now);
    before[12] = cell.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| old.checked_add(3)).unwrap_or(7);
    before[13] = cell
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| if old == 3 { None } else { Some(old ^ 5) })
        .unwrap_or_else(|now| now + 100);
    before[14] = cell.load(Ordering::Relaxed);
    cell.store(before[14].rotate_left(4), Ordering::Relaxed);
    cell.store(before[14] / 3, Ordering::Release);
    before[15] = cell.load(Ordering::SeqCst);
    before[16] = cell.fetch_add(9, Ordering::Relaxed);
    before[17] = cell.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed).is_ok() as u32;
    before
}

/// Every ordering of an exchange, each scope, and imports in the body.
#[kernel(unsafe(races(places)))]
pub fn orders_and_scopes(cells: &[AtomicI32], next: &AtomicUsize, places: &mut [usize]) {
    use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    let i = global_id(0);
    let cell = &cells[i];
    let mut value = cell.load(Relaxed);
    for _ in 0..2 {
        value = swapped(cell, value);
    }
    cell.scope(Scope::Subgroup).fetch_add(1, SeqCst);
    cell.scope(Scope::WorkGroup).fetch_add(2, AcqRel);
    cell.scope(Scope::Device).fetch_add(4, Release);
    cell.scope(Scope::AllDevices).store(cell.scope(Scope::AllDevices).load(SeqCst) + 8, SeqCst);
    cell.scope(Scope::AllDevices).update(Acquire, Relaxed, |old| old + 16);
    cell.compare_exchange(value + 31, value + 32, Relaxed, Acquire).unwrap_or(0);
    cell.compare_exchange(value + 32, value + 33, Release, Acquire).unwrap_or(0);
    cell.compare_exchange(value + 33, value + 34, Relaxed, SeqCst).unwrap_or(0);
    cell.compare_exchange(value + 34, value + 35, AcqRel, Relaxed).unwrap_or(0);
    places[next.fetch_add(1, Relaxed)] = 1;
}

/// A device function takes a reference to an atomic.
#[device]
fn swapped(cell: &AtomicI32, old: i32) -> i32 {
    match cell.compare_exchange_weak(old, old + 10, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(old) => old + 10,
        Err(now) => now,
    }
}

/// What is out of bounds is left alone.
#[kernel]
pub fn out_of_bounds(cells: &[AtomicU32], before: &mut [u32]) {
    let i = global_id(0);
    before[i] = cells[i].fetch_add(1, Ordering::Relaxed);
}

/// References to atomics are those of iterators too.
#[kernel]
pub fn over_all_atomics(cells: &[AtomicU32], row: &[[AtomicU32; 2]], total: &AtomicU32) {
    for cell in cells {
        cell.fetch_add(1, Ordering::Relaxed);
    }
    for (cell, factor) in cells.iter().zip(1..) {
        total.fetch_add(cell.load(Ordering::Relaxed) * factor, Ordering::Relaxed);
    }
    row[row.len() - 1][1].fetch_max(total.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// References to atomics in options, tuples and closures.
#[kernel]
pub fn referred_atomics(cells: &[AtomicU32], missed: &AtomicU32, x: &[u32]) {
    let i = global_id(0);
    let count = |place: usize, by: u32| match cells.get(place) {
        Some(cell) => cell.fetch_add(by, Ordering::Relaxed),
        None => missed.fetch_add(by, Ordering::Relaxed),
    };
    count(x[i] as usize, 1);
    if let [first, .., last] = cells {
        first.fetch_add(10, Ordering::Relaxed);
        last.fetch_add(100, Ordering::Relaxed);
    }
    let both = (&cells[0], missed);
    both.1.fetch_max(both.0.load(Ordering::Relaxed) & 1, Ordering::Relaxed);
    let (left, right) = cells.split_at(1);
    left[0].fetch_sub(right.len() as u32 - 2, Ordering::Relaxed);
}

/// Checks opted out, as in Rust.
#[kernel]
pub fn unchecked_atomics(values: &[u32], counts: &[AtomicU32]) {
    let value = values[global_id(0)] as usize & 3;
    // SAFETY: every launch passes four counts.
    unsafe { counts.get_unchecked(value) }.fetch_add(2, Ordering::Relaxed);
}

/// A graph whose nodes have from 0 to 12 neighbours each, all right and with one that there is not.
fn cases_of_levels() -> [Case; 2] {
    const NODES: u32 = 150;
    let (mut rows, mut columns) = (vec![0], Vec::new());
    for node in 0..NODES {
        columns.extend((0..node * 7 % 13).map(|k| (node * 31 + k * k * 17 + 3) % NODES));
        rows.push(columns.len() as u32);
    }
    let before: Vec<u32> = (0..NODES).map(|node| if node % 3 == 1 { 2 } else { 1 + node % 9 }).collect();
    let after = |columns: &[u32]| {
        let (mut levels, mut reached) = (before.clone(), vec![0_u32; NODES as usize]);
        for node in (0..NODES as usize).filter(|&node| before[node] == 2) {
            let neighbours = &columns[rows[node] as usize..rows[node + 1] as usize];
            for &neighbour in neighbours.iter().take_while(|&&neighbour| neighbour < NODES) {
                reached[neighbour as usize] += 1;
                levels[neighbour as usize] = levels[neighbour as usize].min(3);
            }
        }
        (levels, reached)
    };
    let case = |columns: &[u32]| {
        let (levels, reached) = after(columns);
        let case = Case::of(&NEXT_LEVEL).input(&rows).input(columns).scalar(2_u32);
        case.update(&before, &levels).update(&vec![0; NODES as usize], &reached).items([NODES as usize])
    };
    let mut wrong = columns.clone();
    wrong[rows[100] as usize + 1] = NODES;
    let fault = ExpectedFault::new(FaultKind::IndexOutOfBounds).values([NODES.into(); 2]);
    [case(&columns), case(&wrong).faults(fault.global_id([100, 0, 0]).at("reached[neighbour]"))]
}

pub fn cases() -> Vec<Case> {
    let values: Vec<u32> = (0..1000).map(|k: u32| k.wrapping_mul(2_654_435_761) >> 7).collect();
    let counted = |bins: usize, by: u32| {
        let mut counts = vec![0; bins];
        values.iter().for_each(|value| counts[*value as usize % bins] += by);
        counts
    };
    let sum: u64 = values.iter().map(|value| u64::from(*value)).sum();
    let mut cases = Vec::new();
    for bins in [1, 7, 300] {
        let case = Case::of(&OCCURRENCES).input(&values).update(&vec![0; bins], &counted(bins, 1));
        cases.push(case.items([1000]).label(format!("{bins} places")));
    }
    for (groups, size) in [(1, 1), (3, 7), (4, 64)] {
        let case = Case::of(&OCCURRENCES_IN_STEPS).input(&values).update(&[0; 8], &counted(8, 1)[..]);
        let case = case.refer_mut(1_u64 << 40, (1 << 40) + sum);
        cases.push(case.groups([groups], [size]).label(format!("{groups} groups of {size}")));
    }
    cases.extend(cases_of_levels());
    let x: Vec<i32> = (0..160_i32).map(|k| k.wrapping_mul(1_103_515_245).wrapping_add(12345)).collect();
    let wide: Vec<i64> = x.iter().map(|value| i64::from(*value).wrapping_mul(0x1234_5678_9abc)).collect();
    cases.push(
        Case::of(&COMBINED_BY_ALL).input(&x).update(&[0, 5, 3, -7, -1, 0, 1], &combined(&x)).items([160]),
    );
    let unsigned = [
        wide.iter().map(|value| *value as u64).min().unwrap_or(0),
        wide.iter().map(|value| *value as u64).max().unwrap_or(0),
        wide.iter().fold(u64::MAX - 5, |sum, value| sum.wrapping_add(*value as u64 >> 32)),
    ];
    cases.push(
        Case::of(&COMBINED_BY_ALL_IN_64_BITS)
            .input(&wide)
            .update(&[0, 5, 3, -7, -1, 0, 1], &combined_wide(&wide))
            .refer_mut([u64::MAX, 0, u64::MAX - 5], unsigned)
            .items([160]),
    );
    let x = [0, 3, 77, u32::MAX, 0x8000_0000];
    let cells = [0, 1, 0xdead_beef, 12, u32::MAX];
    let seen: Vec<_> = (0..5).map(|i| seen_on_host(cells[i], x[i])).collect();
    cases.push(Case::of(&METHODS_OF_U32).update(&cells, &x).input(&x).output(&seen).items([5]));
    cases.push(
        Case::of(&ORDERS_AND_SCOPES)
            .update(&[5, -100, 7], &[60, -45, 62])
            .refer_mut(0_usize, 3)
            .output(&[1_usize; 3])
            .items([3]),
    );
    cases.push(
        Case::of(&OVER_ALL_ATOMICS)
            .update(&[1_u32, 2, 3], &[2, 3, 4])
            .update(&[[0_u32, 0], [9, 1]], &[[0, 0], [9, 20]])
            .refer_mut(0_u32, 20),
    );
    cases.push(
        Case::of(&REFERRED_ATOMICS)
            .update(&[0_u32, 0, 0], &[30, 2, 300])
            .refer_mut(1_u32, 2)
            .input(&[1_u32, 9, 1])
            .items([3]),
    );
    cases.push(
        Case::of(&OUT_OF_BOUNDS)
            .update(&[5_u32, 6, 7], &[6, 7, 8])
            .output(&[5_u32, 6, 7, 0])
            .unwritten([3])
            .items([4])
            .faults(
                ExpectedFault::new(FaultKind::IndexOutOfBounds)
                    .values([3, 3])
                    .global_id([3, 0, 0])
                    .at("cells[i].fetch_add(1"),
            ),
    );
    cases.push(Case::of(&UNCHECKED_ATOMICS).input(&values).update(&[0; 4], &counted(4, 2)[..]).items([1000]));
    cases
}

fn combined(x: &[i32]) -> [i32; 7] {
    [
        x.iter().fold(0, |a, b| a.wrapping_add(*b)),
        x.iter().fold(5, |a, b| a.wrapping_sub(*b)),
        x.iter().fold(3, |a, b| a.min(*b)),
        x.iter().fold(-7, |a, b| a.max(*b)),
        x.iter().fold(-1, |a, b| a & b),
        x.iter().fold(0, |a, b| a | b),
        x.iter().fold(1, |a, b| a ^ b),
    ]
}

fn combined_wide(x: &[i64]) -> [i64; 7] {
    [
        x.iter().fold(0, |a, b| a.wrapping_add(*b)),
        x.iter().fold(5, |a, b| a.wrapping_sub(*b)),
        x.iter().fold(3, |a, b| a.min(*b)),
        x.iter().fold(-7, |a, b| a.max(*b)),
        x.iter().fold(-1, |a, b| a & b),
        x.iter().fold(0, |a, b| a | b),
        x.iter().fold(1, |a, b| a ^ b),
    ]
}
