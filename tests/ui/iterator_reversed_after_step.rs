use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    for v in x.iter().map(|v| v * 2.0).step_by(2).rev() {
        y[0] += v;
    }
}

fn main() {}
