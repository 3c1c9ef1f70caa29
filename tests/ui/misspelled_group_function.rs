use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = subgroup::reduce_sum(1.0) + work_group::brodcast(1.0, 0);
}

fn main() {}
