use kernel_runtime::prelude::*;

#[kernel(group_size = [65536, 65536])]
fn run(y: &mut [f32]) {}

fn main() {}
