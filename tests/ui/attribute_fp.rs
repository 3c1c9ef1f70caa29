use kernel_runtime::prelude::*;

#[kernel(fp = "loose")]
fn run(y: &mut [f32]) {}

fn main() {}
