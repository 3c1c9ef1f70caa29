use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    use std::f32::consts::*;
    y[0] = PI;
}

fn main() {}
