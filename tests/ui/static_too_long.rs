use kernel_runtime::prelude::*;

#[device]
static TABLE: [u8; 70_000] = [7; 70_000];

#[kernel]
fn run(y: &mut [u8]) {
    let i = global_id(0);
    y[i] = TABLE[i];
}

fn main() {}
