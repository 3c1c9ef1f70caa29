use kernel_runtime::prelude::*;

#[kernel(group_size = [2, 2, 2, 2])]
fn run(y: &mut [f32]) {}

fn main() {}
