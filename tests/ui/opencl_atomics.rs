use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    atomic_add(&mut y[0], 1);
    atomic_inc(&mut y[0]);
    atomic_cmpxchg(&mut y[0], 1, 2);
}

fn main() {}
