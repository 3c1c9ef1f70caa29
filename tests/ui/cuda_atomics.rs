use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    atomicAdd(&mut y[0], 1);
    atomicCAS(&mut y[0], 1, 2);
    atomicExch(&mut y[0], 1);
}

fn main() {}
