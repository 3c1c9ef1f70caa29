use kernel_runtime::prelude::*;

#[kernel]
fn run(rows: &[&[f32]], y: &mut [f32]) {}

fn main() {}
