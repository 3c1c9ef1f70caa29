use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    const WEIGHTS: [f32; 2] = [1.0, 2.0];
    y[0] = WEIGHTS[0];
}

fn main() {}
