use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[usize], y: &mut [usize]) {
    let i = global_id(0);
    y[i] = subgroup::broadcast(i, x[i]);
    y[i] += work_group::broadcast(i, subgroup::id());
}

fn main() {}
