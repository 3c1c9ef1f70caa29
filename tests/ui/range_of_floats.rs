use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    for v in 0.0..1.0 {
        y[0] += v;
    }
}

fn main() {}
