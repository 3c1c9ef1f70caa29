use kernel_runtime::atomic::AtomicU32;
use kernel_runtime::prelude::*;

#[kernel]
fn exclusive(weights: &mut Constant<[f32]>, y: &mut [f32]) {}

#[kernel]
fn of_atomics(counts: &Constant<[AtomicU32]>, y: &mut [f32]) {}

#[kernel]
fn with_tuples(pairs: &Constant<[(f32, f32)]>, y: &mut [f32]) {}

#[kernel]
fn of_fixed_length(weights: &Constant<[f32; 4]>, y: &mut [f32]) {}

#[kernel]
fn by_value(weights: Constant<[f32]>, y: &mut [f32]) {}

#[kernel]
unsafe fn to_pointer(weights: &Constant<[f32]>, y: &mut [f32]) {
    let pointer = weights.as_ptr();
    y[0] = unsafe { pointer.read() };
}

fn main() {}
