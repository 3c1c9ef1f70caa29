use kernel_runtime::atomic::{AtomicF32, Ordering};
use kernel_runtime::prelude::*;

#[kernel(float_atomics = "fast")]
fn sum(x: &[f32], y: &AtomicF32) {
    y.fetch_add(x[global_id(0)], Ordering::Relaxed);
}

fn main() {}
