use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = __shfl_sync(0xffffffff, y[i], 0) + __shfl_xor_sync(0xffffffff, y[i], 1);
    let votes = __ballot_sync(0xffffffff, y[i] > 0.0);
    __syncthreads();
    __syncwarp();
    y[i] = __ldg(&y[i]);
}

fn main() {}
