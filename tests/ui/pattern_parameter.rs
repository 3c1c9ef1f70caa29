use kernel_runtime::prelude::*;

#[kernel]
fn run((a, b): (f32, f32), y: &mut [f32]) {
    y[0] = a + b;
}

fn main() {}
