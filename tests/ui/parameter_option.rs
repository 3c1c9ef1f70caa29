use kernel_runtime::prelude::*;

#[kernel]
fn run(n: Option<u32>, y: &mut [f32]) {}

fn main() {}
