use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    #[cfg(any())]
    const N: u32 = 1;
    y[0] = N as f32;
}

fn main() {}
