use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {}

#[kernel]
fn run(x: &mut [f32]) {}

fn main() {}
