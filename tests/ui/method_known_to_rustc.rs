use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = x[0].clamp(0.0, 1.0);
}

fn main() {}
