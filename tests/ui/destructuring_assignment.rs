use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut a = 0.0;
    let mut b = 1.0;
    (a, b) = (b, a);
    y[0] = a + b;
}

fn main() {}
