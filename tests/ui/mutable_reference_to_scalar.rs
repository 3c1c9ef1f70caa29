use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let first = &mut y[0];
    *first = 1.0;
}

fn main() {}
