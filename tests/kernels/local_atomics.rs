//! Atomics in local memory, and what becomes of them in memory of the host.

use super::case::Case;
use kernel_runtime::atomic::{AtomicI64, AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// A histogram in two steps: each work-group counts for itself, and adds what it has counted.
#[kernel(group_size = [16])]
pub fn histogram_by_groups(values: &[u8], counts: &[AtomicU32; 16]) {
    let own = Local::<[AtomicU32; 16]>::new();
    let l = local_id(0);
    own[l].store(0, Ordering::Relaxed);
    barrier();
    let mut i = global_id(0);
    while i < values.len() {
        own[values[i] as usize & 15].fetch_add(1, Ordering::Relaxed);
        i += global_size(0);
    }
    barrier();
    let count = own[l].load(Ordering::Relaxed);
    if count > 0 {
        counts[l].fetch_add(count, Ordering::Relaxed);
    }
}

/// A single atomic, one of 64 bits, and rows of them.
#[kernel]
pub fn extremes_of_groups(x: &[i64], results: &mut [[i64; 3]]) {
    let count = Local::<AtomicU32>::new();
    let extremes = Local::<[AtomicI64; 2]>::new();
    let rows = Local::<[[AtomicU32; 2]; 3]>::new();
    if local_id(0) == 0 {
        count.store(0, Ordering::Relaxed);
        extremes[0].store(i64::MAX, Ordering::Relaxed);
        extremes[1].store(i64::MIN, Ordering::Relaxed);
        rows[2][1].store(7, Ordering::Relaxed);
    }
    barrier();
    let value = x[global_id(0)];
    count.fetch_add(1, Ordering::AcqRel);
    extremes[0].fetch_min(value, Ordering::Relaxed);
    extremes[1].fetch_max(value, Ordering::Relaxed);
    rows[2][1].fetch_add(1, Ordering::SeqCst);
    barrier();
    if local_id(0) == 0 {
        let both = count.load(Ordering::Relaxed) + 1000 * rows[2][1].load(Ordering::Relaxed);
        results[group_id(0)] =
            [extremes[0].load(Ordering::Relaxed), extremes[1].load(Ordering::Relaxed), both as i64];
    }
}

/// Places in a list of the group's own, in whatever order, which come out sorted.
#[kernel(group_size = [32], unsafe(races(kept)))]
pub fn compacted_in_group(x: &[u32], limit: u32, kept: &mut [u32], counts: &mut [u32]) {
    let next = Local::<AtomicU32>::new();
    let mut list = Local::<[u32; 32]>::new();
    let l = local_id(0);
    if l == 0 {
        next.store(0, Ordering::Relaxed);
    }
    barrier();
    let value = x[global_id(0)];
    if value < limit {
        list[next.fetch_add(1, Ordering::Relaxed) as usize] = value;
    }
    barrier();
    let count = next.load(Ordering::Relaxed) as usize;
    let mut place = 0;
    if l < count {
        for i in 0..count {
            if list[i] < list[l] {
                place += 1;
            }
        }
        kept[group_id(0) * 32 + place] = list[l];
    }
    if l == 0 {
        counts[group_id(0)] = count as u32;
    }
}

pub fn cases() -> Vec<Case> {
    let values: Vec<u8> = (0..1000_u32).map(|k| (k * k / 3) as u8).collect();
    let mut counts = [5_u32; 16];
    values.iter().for_each(|value| counts[usize::from(*value) & 15] += 1);
    let mut cases = Vec::new();
    for groups in [1, 3, 70] {
        let case = Case::of(&HISTOGRAM_BY_GROUPS).input(&values).refer_mut([5_u32; 16], counts);
        cases.push(case.groups([groups], [16]).label(format!("{groups} groups")));
    }
    let no_values: [u8; 0] = [];
    cases.push(
        Case::of(&HISTOGRAM_BY_GROUPS)
            .input(&no_values)
            .refer([9_u32; 16])
            .groups([2], [16])
            .label("nothing to count"),
    );
    let x: Vec<i64> = (0..96_i64).map(|k| (k * 7919 % 101 - 50) << 33).collect();
    for size in [1, 6, 32] {
        let extremes = |group: &[i64]| {
            let (least, most) = (group.iter().min().unwrap_or(&0), group.iter().max().unwrap_or(&0));
            [*least, *most, size as i64 + 1000 * (7 + size as i64)]
        };
        let results: Vec<_> = x.chunks(size).map(extremes).collect();
        let case = Case::of(&EXTREMES_OF_GROUPS).input(&x).output(&results);
        cases.push(case.groups([results.len() as u32], [size as u32]).label(format!("groups of {size}")));
    }
    let x: Vec<u32> = (0..64_u32).map(|k| k * 37 % 64).collect();
    for limit in [0, 20, 64] {
        let (mut kept, mut counts) = (vec![99; 64], Vec::new());
        for (group, values) in x.chunks(32).enumerate() {
            let mut own: Vec<u32> = values.iter().copied().filter(|value| *value < limit).collect();
            own.sort_unstable();
            counts.push(own.len() as u32);
            kept[group * 32..group * 32 + own.len()].copy_from_slice(&own);
        }
        let case = Case::of(&COMPACTED_IN_GROUP).input(&x).scalar(limit).update(&vec![99; 64], &kept);
        cases.push(case.output(&counts).groups([2], [32]).label(format!("below {limit}")));
    }
    cases
}
