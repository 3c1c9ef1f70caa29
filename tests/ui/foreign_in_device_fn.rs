use kernel_runtime::prelude::*;

#[device]
fn index(n: u32) -> u32 {
    blockIdx.x * blockDim.x + threadIdx.x + n
}

#[device]
fn wait() -> usize {
    __syncthreads();
    get_global_id(0)
}

#[kernel]
fn run(y: &mut [u32]) {
    y[wait()] = index(1);
}

fn main() {}
