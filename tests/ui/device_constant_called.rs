use kernel_runtime::prelude::*;

#[device]
const N: u32 = 4;

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = N();
}

fn main() {}
