use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = get_global_linear_id();
    group_barrier(0);
    y[i] = reduce_over_group(0, y[i], 1);
    let r = get_local_range(0);
}

fn main() {}
