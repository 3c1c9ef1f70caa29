use kernel_runtime::prelude::*;

fn sq(x: f32) -> f32 {
    x * x
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = sq(y[0]);
}

fn main() {}
