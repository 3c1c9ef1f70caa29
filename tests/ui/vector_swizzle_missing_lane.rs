use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32x2], y: &mut [f32x2]) {
    y[0] = x[0].zy();
}

fn main() {}
