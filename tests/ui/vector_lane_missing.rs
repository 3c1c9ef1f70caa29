use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32x3], y: &mut [f32]) {
    y[0] = x[0].w;
}

fn main() {}
