use kernel_runtime::prelude::*;

#[kernel(64)]
fn run(y: &mut [f32]) {}

fn main() {}
