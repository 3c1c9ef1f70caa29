use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let n = 1.0;
    y[0] = n[0];
}

fn main() {}
