use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut sum = 0.0;
    for v in x.iter() {
        sum += v;
    }
    y[0] = sum;
}

fn main() {}
