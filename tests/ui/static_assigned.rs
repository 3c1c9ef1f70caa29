use kernel_runtime::prelude::*;

#[device]
static TABLE: [u32; 4] = [1, 2, 3, 4];

#[kernel]
fn run(y: &mut [u32]) {
    TABLE[0] = y[0];
}

fn main() {}
