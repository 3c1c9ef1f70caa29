use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = global_id(3) as f32;
}

fn main() {}
