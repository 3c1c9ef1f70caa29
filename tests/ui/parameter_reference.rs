use kernel_runtime::prelude::*;

#[kernel]
fn run(factor: &f32, y: &mut [f32]) {
    y[0] = *factor;
}

fn main() {}
