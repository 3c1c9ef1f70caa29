use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut a = x;
    a = x;
    y[0] = a[0];
}

fn main() {}
