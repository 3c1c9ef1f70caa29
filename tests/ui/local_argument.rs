use kernel_runtime::atomic::AtomicU32;
use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[kernel]
fn shared(tile: &Local<[f32]>, y: &mut [f32]) {}

#[kernel]
fn exclusive(counts: &mut Local<[AtomicU32]>, y: &mut [f32]) {}

#[kernel]
fn without_layout(points: &mut Local<[Point]>, y: &mut [f32]) {}

#[kernel]
fn with_tuples(pairs: &mut Local<[(f32, f32)]>, y: &mut [f32]) {}

#[kernel]
fn of_fixed_length(tile: &mut Local<[f32; 4]>, y: &mut [f32]) {}

fn main() {}
