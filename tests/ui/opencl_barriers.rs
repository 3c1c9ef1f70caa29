use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    y[local_id(0)] = 1.0;
}

fn main() {}
