use kernel_runtime::prelude::*;

#[kernel(N = _)]
fn run<const N: usize>(x: &[[f32; N]], y: &mut [f32]) {
    y[0] = x[0][0];
}

fn main() {}
