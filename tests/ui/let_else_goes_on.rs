use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let [a, ..] = x else { y[0] = 1.0 };
    y[0] = *a;
}

fn main() {}
