use kernel_runtime::prelude::*;

#[kernel]
fn scale(factor: f32, y: &mut [f32]) {
    y[global_id(0)] *= factor;
}

pub fn host(y: &mut Buffer<f32>) {
    let _ = scale(y);
}

fn main() {}
