use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32x4], y: &mut [bool]) {
    y[0] = x[0] < x[1];
}

fn main() {}
