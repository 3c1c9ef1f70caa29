use kernel_runtime::atomic::{AtomicF32, AtomicU32, Ordering};
use kernel_runtime::prelude::*;

#[device]
type Counter = AtomicU32;

#[kernel]
fn exclusive(x: &mut [AtomicU32]) {
    x[0].store(1, Ordering::Relaxed);
}

#[kernel]
fn by_value(x: AtomicF32, y: &mut [f32]) {
    y[0] = x.load(Ordering::Relaxed);
}

#[kernel]
unsafe fn by_pointer(x: *const AtomicU32) {
    unsafe { (*x).store(1, Ordering::Relaxed) };
}

#[kernel]
fn by_another_name(x: &[Counter]) {
    x[0].store(1, Ordering::Relaxed);
}

fn main() {}
