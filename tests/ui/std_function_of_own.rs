use kernel_runtime::prelude::*;

fn swap(x: f32, y: f32) {}

#[kernel]
fn run(y: &mut [f32]) {
    swap(y[0], y[1]);
}

fn main() {}
