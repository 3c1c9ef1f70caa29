use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let pair = (x[0], x[1]);
    y[0] = pair.0 + pair.1;
}

fn main() {}
