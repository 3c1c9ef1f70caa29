use kernel_runtime::atomic::{AtomicU32, Ordering, Scope, Scoped, fence_in};
use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[AtomicU32]) {
    x[0].scope(Scope::QueueFamily).fetch_add(1, Ordering::Relaxed);
    fence_in(Scope::Workgroup, Ordering::Release);
}

fn main() {}
