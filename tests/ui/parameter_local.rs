use kernel_runtime::prelude::*;

#[kernel]
fn run(tile: Local<[f32; 4]>, y: &mut [f32]) {}

fn main() {}
