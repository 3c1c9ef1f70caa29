use kernel_runtime::prelude::*;

#[kernel]
fn run(n: i128, y: &mut [f32]) {}

fn main() {}
