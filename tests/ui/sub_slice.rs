use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let part = &x[1..3];
    y[0] = part[0];
}

fn main() {}
