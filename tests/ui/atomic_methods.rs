use kernel_runtime::atomic::{AtomicBool, AtomicF32, AtomicU32, Ordering};
use kernel_runtime::prelude::*;

#[kernel]
fn private(y: &mut [u32]) {
    let count = AtomicU32::new(0);
    count.fetch_add(1, Ordering::Relaxed);
    y[0] = count.load(Ordering::Relaxed);
}

#[kernel]
fn of_other_types(flags: &[AtomicBool], sums: &[AtomicF32]) {
    flags[0].fetch_add(true, Ordering::Relaxed);
    sums[0].fetch_or(1.0, Ordering::Relaxed);
}

#[kernel]
fn of_numbers(counts: &[u32]) {
    counts[0].fetch_add(1, Ordering::Relaxed);
}

fn main() {}
