use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    for i in (0..x.len()).rev() {
        y[i] = x[i];
    }
}

fn main() {}
