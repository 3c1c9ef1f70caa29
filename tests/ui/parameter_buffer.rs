use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &Buffer<f32>, y: &mut [f32]) {}

fn main() {}
