use kernel_runtime::prelude::*;

#[device]
fn sq(x: f32) -> f32 {
    x * x
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = sq(1_u32);
}

fn main() {}
