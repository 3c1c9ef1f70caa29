use kernel_runtime::prelude::*;

#[kernel]
fn run(f: impl Fn(f32) -> f32, y: &mut [f32]) {}

fn main() {}
