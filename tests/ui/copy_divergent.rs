use kernel_runtime::prelude::*;

#[kernel]
fn in_a_condition(x: &[u32], tile: &mut Local<[u32]>) {
    if local_id(0) > 3 {
        work_group::copy(tile, &x[..8]);
    }
}

#[kernel]
fn what_it_has_of_its_own(x: &[u32], tile: &mut Local<[u32]>, y: &mut [u32]) {
    let i = global_id(0);
    work_group::copy(&mut tile[..1], &x[i..i + 1]);
    let mut own = [0; 4];
    work_group::copy(&mut own, &tile[..4]);
    work_group::scatter(y, &tile[..4], local_id(0));
}

#[kernel]
fn meanwhile(x: &[u32], tile: &mut Local<[u32]>, y: &mut [u32]) {
    work_group::copy_while(tile, x, || {
        if y[global_id(0)] > 3 {
            barrier();
        }
    });
}

fn main() {}
