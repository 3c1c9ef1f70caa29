use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    barrier(1);
    let x = subgroup::shuffle(y[0]);
    let z = subgroup::broadcast(y[0], 0, 1);
    let w = subgroup::reduce_add();
    y[0] = math::rsqrt(1.0, 2.0);
}

fn main() {}
