//! Counting and summing by atomics.

use super::super::case::Case;
use kernel_runtime::atomic::{AtomicU32, AtomicU64, Ordering};
use kernel_runtime::prelude::*;

/// The histogram of the benchmark corpus: each work-group counts in its own local memory.
#[kernel(group_size = [256])]
pub fn histogram(data: &[u32], hist: &[AtomicU32]) {
    let bins = Local::<[AtomicU32; 256]>::new();
    let l = local_id(0);
    bins[l].store(0, Ordering::Relaxed);
    barrier();
    for i in (global_id(0)..data.len()).step_by(global_size(0)) {
        bins[data[i] as usize & 255].fetch_add(1, Ordering::Relaxed);
    }
    barrier();
    let count = bins[l].load(Ordering::Relaxed);
    if count > 0 {
        hist[l].fetch_add(count, Ordering::Relaxed);
    }
}

/// The same with the checks opted out, and an index of 32 bits as in C.
#[kernel(group_size = [256])]
pub fn histogram_unchecked(data: &[u32], hist: &[AtomicU32], n: u32) {
    let bins = Local::<[AtomicU32; 256]>::new();
    let l = local_id(0);
    bins[l].store(0, Ordering::Relaxed);
    barrier();
    let mut i = global_id(0) as u32;
    while i < n {
        // SAFETY: every launch passes as much data as it says.
        let value = unsafe { *data.get_unchecked(i as usize) };
        bins[value as usize & 255].fetch_add(1, Ordering::Relaxed);
        i += global_size(0) as u32;
    }
    barrier();
    let count = bins[l].load(Ordering::Relaxed);
    if count > 0 {
        // SAFETY: every launch passes 256 counts.
        unsafe { hist.get_unchecked(l) }.fetch_add(count, Ordering::Relaxed);
    }
}

/// Sum, minimum and maximum by 64-bit atomics, as in the benchmark corpus.
#[kernel]
pub fn atomic64(keys: &[u64], acc: &[AtomicU64; 3]) {
    let i = global_id(0);
    if i < keys.len() {
        let value = keys[i];
        acc[0].fetch_add(value, Ordering::Relaxed);
        acc[1].fetch_min(value, Ordering::Relaxed);
        acc[2].fetch_max(value, Ordering::Relaxed);
    }
}

/// The same with the checks opted out.
#[kernel]
pub fn atomic64_unchecked(keys: &[u64], acc: &[AtomicU64]) {
    let i = global_id(0);
    if i >= keys.len() {
        return;
    }
    let value = keys[i];
    // SAFETY: every launch passes three results.
    unsafe {
        acc.get_unchecked(0).fetch_add(value, Ordering::Relaxed);
        acc.get_unchecked(1).fetch_min(value, Ordering::Relaxed);
        acc.get_unchecked(2).fetch_max(value, Ordering::Relaxed);
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let data: Vec<u32> = (0..2000_u32).map(|k| k.wrapping_mul(2_654_435_761) >> 13).collect();
    let mut counts = [0_u32; 256];
    data.iter().for_each(|value| counts[*value as usize & 255] += 1);
    let input = Case::of(&HISTOGRAM).input(&data).update(&[0_u32; 256], &counts);
    cases.push(input.groups([3], [256]));
    let input = Case::of(&HISTOGRAM_UNCHECKED).input(&data).update(&[0_u32; 256], &counts);
    cases.push(input.scalar(2000_u32).groups([3], [256]));
    let keys: Vec<u64> = data.iter().map(|value| u64::from(*value) << 30 | 1).collect();
    let sum = keys.iter().fold(7, |sum: u64, key| sum.wrapping_add(*key));
    let after = [sum, *keys.iter().min().unwrap_or(&0), *keys.iter().max().unwrap_or(&0)];
    let input = Case::of(&ATOMIC64).input(&keys).refer_mut([7, u64::MAX, 0], after);
    cases.push(input.groups([16], [128]));
    let input = Case::of(&ATOMIC64_UNCHECKED).input(&keys).update(&[7, u64::MAX, 0], &after);
    cases.push(input.groups([16], [128]));
    cases
}
