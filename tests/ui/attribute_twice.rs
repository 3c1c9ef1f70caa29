use kernel_runtime::prelude::*;

#[kernel(group_size = 64, group_size = 32)]
fn run(y: &mut [f32]) {}

fn main() {}
