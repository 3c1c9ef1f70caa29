use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let values = x.iter().rev().collect::<Vec<_>>();
}

fn main() {}
