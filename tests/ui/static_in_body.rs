use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    static SCALE: f32 = 2.0;
    y[0] = SCALE * x[0];
}

fn main() {}
