use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[global_id(0)] = <[f32]>::len(x) as f32;
}

fn main() {}
