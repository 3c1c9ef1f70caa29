use kernel_runtime::prelude::*;

#[kernel(unsafe(races))]
fn looked_at_too_early(x: &[u32], tile: &mut Local<[u32]>, y: &mut [u32]) {
    y[global_id(0)] = work_group::copy_while(tile, x, || tile[local_id(0)]);
}

#[kernel(unsafe(races))]
fn changed_meanwhile(x: &mut [u32], tile: &mut Local<[u32]>) {
    work_group::copy_while(tile, x, || x[global_id(0)] = 1);
}

#[kernel(unsafe(races))]
fn of_another_type(x: &[u32], tile: &mut Local<[u16]>) {
    work_group::copy(tile, x);
    work_group::gather(tile, x);
}

fn main() {}
