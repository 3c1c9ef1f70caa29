use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let n = 4;
    let a = [0.0_f32; n];
}

fn main() {}
