use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut scratch = Vec::new();
    scratch.push(x[0]);
}

fn main() {}
