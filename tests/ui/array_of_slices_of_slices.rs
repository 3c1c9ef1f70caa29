use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let a = [x, x];
    let b = [&a[..1], &a[1..]];
    y[global_id(0)] = b[0][0][0];
}

fn main() {}
