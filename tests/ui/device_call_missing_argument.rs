use kernel_runtime::prelude::*;

#[device]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = add(1.0);
}

fn main() {}
