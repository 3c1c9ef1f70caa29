use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = x[0].sqroot();
}

fn main() {}
