use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let n = x.len().checked_sub(1);
}

fn main() {}
