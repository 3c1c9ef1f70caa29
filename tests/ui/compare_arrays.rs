use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let a = [1, 2];
    let b = [1, 2];
    if a == b {
        y[0] = 1.0;
    }
}

fn main() {}
