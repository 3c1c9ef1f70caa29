use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = get_global_id(0) + get_group_id(0) * get_local_size(0) + get_local_id(0);
    let n = get_global_size(0) * get_num_groups(0);
    y[i + n] = 1.0;
}

fn main() {}
