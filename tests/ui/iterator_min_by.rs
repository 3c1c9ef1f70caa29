use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = *x.iter().min_by(|a, b| a.total_cmp(b)).unwrap();
}

fn main() {}
