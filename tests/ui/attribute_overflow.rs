use kernel_runtime::prelude::*;

#[kernel(overflow = "panic")]
fn run(y: &mut [f32]) {}

fn main() {}
