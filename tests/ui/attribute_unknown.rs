use kernel_runtime::prelude::*;

#[kernel(grid = 64)]
fn run(y: &mut [f32]) {}

fn main() {}
