use kernel_runtime::prelude::*;

#[kernel]
fn run(sum: &mut f32, x: &[f32]) {
    *sum = x[0];
}

fn main() {}
