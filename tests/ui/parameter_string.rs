use kernel_runtime::prelude::*;

#[kernel]
fn run(name: String, y: &mut [f32]) {}

fn main() {}
