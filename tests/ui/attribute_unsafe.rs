use kernel_runtime::prelude::*;

#[kernel(unsafe(fast))]
fn run(y: &mut [f32]) {}

#[kernel(unsafe(unchecked), unsafe(unchecked))]
fn twice(y: &mut [f32]) {}

fn main() {}
