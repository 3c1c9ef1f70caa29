use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let l = get_sub_group_local_id();
    let total = sub_group_reduce_add(y[l]);
    let first = sub_group_broadcast(total, 0);
    let other = work_group_scan_inclusive_max(first);
    y[l] = sub_group_shuffle_xor(other, 1);
}

fn main() {}
