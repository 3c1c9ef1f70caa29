use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32x4], y: &mut [i32x4]) {
    y[0] = y[0] + x[0];
}

fn main() {}
