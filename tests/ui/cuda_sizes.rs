use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let n = gridDim.x;
    let w = warpSize;
    y[n * w] = 1.0;
}

fn main() {}
