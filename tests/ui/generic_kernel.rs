use kernel_runtime::prelude::*;

#[kernel]
fn run<T: Copy>(y: &mut [T]) {}

fn main() {}
