use kernel_runtime::prelude::*;

#[kernel]
fn run(#[allow(unused)] x: &[f32], #[cfg(any())] n: u32, y: &mut [f32]) {}

fn main() {}
