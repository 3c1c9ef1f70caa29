use kernel_runtime::prelude::*;
use std::f32::consts::PI;

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = PI;
}

fn main() {}
