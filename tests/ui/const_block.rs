use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let n = const { 1 + 2 };
}

fn main() {}
