use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let f = global_id;
    y[f(0)] = x[f(0)];
}

fn main() {}
