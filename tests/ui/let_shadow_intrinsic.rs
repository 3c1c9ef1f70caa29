use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let global_id = 3;
    y[global_id(0)] = 1.0;
}

fn main() {}
