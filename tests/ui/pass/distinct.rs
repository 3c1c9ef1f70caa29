//! What `assume_distinct` leaves in descriptors, and what it is on the host.

use kernel_runtime::prelude::*;

#[device]
fn place(index: &[u32], i: usize) -> usize {
    // SAFETY: all callers have an index that is there once.
    unsafe { assume_distinct(index[i]) as usize }
}

#[kernel]
fn permuted(index: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[place(index, i)] = x[i];
}

#[kernel(group_size = 4)]
fn permuted_in_groups(index: &[u8], y: &mut [u8]) {
    let mut tile = Local::<[u8; 4]>::new();
    let i = global_id(0);
    // SAFETY: each group has each index once.
    tile[unsafe { work_group::assume_distinct(index[i]) } as usize] = y[i];
    barrier();
    y[i] = tile[local_id(0)];
}

#[kernel]
fn in_order(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {
    assert_eq!(place(&[4, 7], 1), 7);
    let lines = |descriptor: &kernel_runtime::KernelDescriptor| -> Vec<u32> {
        descriptor.assumes_distinct.iter().map(|place| place.line).collect()
    };
    assert_eq!(lines(&PERMUTED), [8]);
    assert_eq!(lines(&PERMUTED_IN_GROUPS), [22]);
    assert_eq!(lines(&IN_ORDER), []);
    let _ = (permuted, permuted_in_groups, in_order);
}
