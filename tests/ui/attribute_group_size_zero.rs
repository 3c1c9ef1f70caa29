use kernel_runtime::prelude::*;

#[kernel(group_size = [16, 0])]
fn run(y: &mut [f32]) {}

fn main() {}
