use kernel_runtime::prelude::*;

#[kernel]
fn in_a_condition(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if x[i] > 3 {
        y[i] = subgroup::block_read(x, 0);
    }
}

#[kernel]
fn from_its_own_index(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = subgroup::block_read(x, i);
}

#[kernel]
fn to_its_own_part(y: &mut [u32]) {
    let i = global_id(0);
    subgroup::block_write(&mut y[i..], 0, 1);
}

fn main() {}
