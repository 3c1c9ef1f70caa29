use kernel_runtime::prelude::*;

#[kernel(subgroup_size = 7)]
fn run(y: &mut [f32]) {}

fn main() {}
