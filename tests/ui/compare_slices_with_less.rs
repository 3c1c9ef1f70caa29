use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    if x[1..] < x[..2] {
        y[0] = 1.0;
    }
}

fn main() {}
