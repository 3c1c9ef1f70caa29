use kernel_runtime::prelude::*;

#[kernel]
fn first(y: &mut [f32]) {}

#[kernel]
fn second(y: &mut [f32]) {
    first(y);
}

fn main() {}
