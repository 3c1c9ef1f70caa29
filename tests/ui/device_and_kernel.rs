use kernel_runtime::prelude::*;

#[device]
#[kernel]
fn run(y: &mut [f32]) {}

#[device(import = "other")]
#[kernel]
unsafe fn also_a_kernel() {}

fn main() {}
