use kernel_runtime::prelude::*;

#[device]
#[kernel]
fn run(y: &mut [f32]) {}

fn main() {}
