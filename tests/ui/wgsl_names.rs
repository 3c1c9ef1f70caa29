use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    workgroupBarrier();
    let i = global_invocation_id.x;
    y[i] = inverseSqrt(y[i]) + subgroupAdd(y[i]);
}

fn main() {}
