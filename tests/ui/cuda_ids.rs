use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 1.0;
}

fn main() {}
