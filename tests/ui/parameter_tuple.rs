use kernel_runtime::prelude::*;

#[kernel]
fn run(range: (u32, u32), y: &mut [f32]) {}

fn main() {}
