use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let square = |v: f32| v * v;
    y[0] = square(x[0]);
}

fn main() {}
