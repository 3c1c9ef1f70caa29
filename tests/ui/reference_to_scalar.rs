use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let first = &x[0];
    y[0] = *first;
}

fn main() {}
