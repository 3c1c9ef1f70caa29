use kernel_runtime::prelude::*;

#[device]
fn total(x: u32) -> u32 {
    work_group::reduce_add(x)
}

#[kernel]
fn run(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = if x[i] > 3 { total(x[i]) } else { 0 };
    if subgroup::id() == 0 {
        y[i] += subgroup::reduce_max(x[i]);
        y[i] += work_group::scan_exclusive_min(x[i]);
    }
    if x[i] > 3 && subgroup::all(x[i] < 9) {
        y[i] = 1;
    }
}

fn main() {}
