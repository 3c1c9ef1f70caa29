use kernel_runtime::prelude::*;

#[device]
fn four() -> u32 {
    4
}

#[device]
const N: u32 = four();

fn main() {}
