use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32]) -> f32 {
    x[0]
}

fn main() {}
