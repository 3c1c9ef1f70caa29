//! Counts of bins.

use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

/// Counts the elements of the part of each group, in local memory, and adds what it has counted.
#[device]
pub fn count_in_groups(
    len: usize,
    part: usize,
    counts: &[AtomicU32],
    own: &Local<[AtomicU32]>,
    bin: impl Fn(usize) -> usize,
) {
    let l = local_id(0);
    for b in (l..own.len()).step_by(256) {
        own[b].store(0, Ordering::Relaxed);
    }
    barrier();
    let start = group_id(0) * part;
    for i in (start + l..(start + part).min(len)).step_by(256) {
        let bin = bin(i);
        if bin < own.len() {
            own[bin].fetch_add(1, Ordering::Relaxed);
        }
    }
    barrier();
    for b in (l..own.len()).step_by(256) {
        let count = own[b].load(Ordering::Relaxed);
        if count > 0 {
            counts[b].fetch_add(count, Ordering::Relaxed);
        }
    }
}

/// Counts an element in global memory.
#[device]
pub fn count_globally(len: usize, counts: &[AtomicU32], bin: impl Fn(usize) -> usize) {
    let i = global_id(0);
    if i < len {
        let bin = bin(i);
        if bin < counts.len() {
            counts[bin].fetch_add(1, Ordering::Relaxed);
        }
    }
}
