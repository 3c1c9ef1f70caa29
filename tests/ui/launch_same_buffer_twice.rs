use kernel_runtime::prelude::*;

#[kernel]
fn copy(x: &[f32], y: &mut [f32]) {
    y[global_id(0)] = x[global_id(0)];
}

pub fn host(y: &mut Buffer<f32>) {
    let _ = copy(y, y);
}

fn main() {}
