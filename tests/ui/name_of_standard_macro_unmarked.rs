use kernel_runtime::prelude::*;

fn write(x: f32) -> f32 {
    x
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = write(y[0]);
}

fn main() {}
