use kernel_runtime::prelude::*;

#[device]
fn wait(rounds: u32) {
    for _ in 0..rounds {
        barrier();
    }
}

#[kernel]
fn run(x: &[u32], y: &mut [u32]) {
    let mut limit = 3;
    if y[0] > 2 {
        limit = x[local_id(0)] * 2;
    }
    wait(limit);
}

#[kernel]
fn promised(y: &mut [u32]) {
    // SAFETY: nobody writes to `y`.
    if unsafe { subgroup::assume_uniform(y[0]) } > 2 {
        barrier();
    }
}

#[kernel]
fn without_unsafe(y: &mut [u32]) {
    if work_group::assume_uniform(y[0]) > 2 {
        barrier();
    }
}

fn main() {}
