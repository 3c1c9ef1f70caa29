use kernel_runtime::prelude::*;

#[kernel(group_size = -1)]
fn run(y: &mut [f32]) {}

fn main() {}
