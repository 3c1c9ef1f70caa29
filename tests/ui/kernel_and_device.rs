use kernel_runtime::prelude::*;

#[kernel]
#[device]
fn run(y: &mut [f32]) {}

fn main() {}
