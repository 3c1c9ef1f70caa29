use kernel_runtime::prelude::*;

#[device]
fn sq(x: f32) -> f32 {
    x * x
}

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = sq::<f32>(y[global_id(0)]);
}

fn main() {}
