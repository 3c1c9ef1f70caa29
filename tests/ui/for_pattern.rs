use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    for (i, j) in 0..4 {
        y[i] = x[j];
    }
}

fn main() {}
