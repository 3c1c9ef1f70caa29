use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let a = [0.0_f32; x.len()];
}

fn main() {}
