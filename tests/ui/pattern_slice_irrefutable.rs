use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let [a, ..] = x;
    y[global_id(0)] = *a;
}

fn main() {}
