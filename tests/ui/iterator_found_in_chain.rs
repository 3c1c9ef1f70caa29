use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    if let Some(v) = x.iter().chain(&x[1..]).find(|v| **v > 1.0) {
        y[0] = *v;
    }
}

fn main() {}
