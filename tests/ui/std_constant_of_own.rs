use kernel_runtime::prelude::*;

const PI: f32 = 3.14;

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = PI;
}

fn main() {}
