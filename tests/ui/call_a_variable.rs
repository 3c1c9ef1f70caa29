use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let f = 1.0;
    y[0] = f(x[0]);
}

fn main() {}
