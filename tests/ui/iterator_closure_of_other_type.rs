use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = x.iter().map(|v| *v as u32).sum();
}

fn main() {}
