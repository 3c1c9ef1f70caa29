use kernel_runtime::atomic::{AtomicU32, Ordering};
use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
struct Counters {
    hits: AtomicU32,
}

#[kernel]
fn count(counters: &[Counters]) {
    counters[0].hits.fetch_add(1, Ordering::Relaxed);
}

fn main() {}
