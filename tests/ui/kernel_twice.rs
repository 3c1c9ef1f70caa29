use kernel_runtime::prelude::*;

#[kernel]
#[kernel]
fn run(y: &mut [f32]) {}

fn main() {}
