use kernel_runtime::prelude::*;

#[kernel(unchecked)]
fn run(y: &mut [f32]) {}

fn main() {}
