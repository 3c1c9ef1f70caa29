use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    const N: u8 = 255 + 1;
    y[global_id(0)] = N as f32;
}

fn main() {}
