use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let (s, c) = x[0].sin_cos();
}

fn main() {}
