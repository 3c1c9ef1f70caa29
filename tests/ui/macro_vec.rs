use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let v = vec![0.0; 4];
}

fn main() {}
