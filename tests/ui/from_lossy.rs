use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[u32], y: &mut [f32]) {
    y[0] = f32::from(x[0]);
}

fn main() {}
