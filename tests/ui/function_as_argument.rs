use kernel_runtime::prelude::*;

#[device]
fn increment(x: f32) -> f32 {
    x + 1.0
}

#[device]
fn apply(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(x)
}

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = apply(increment, x[0]);
}

fn main() {}
