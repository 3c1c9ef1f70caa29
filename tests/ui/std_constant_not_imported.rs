use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = TAU;
}

fn main() {}
