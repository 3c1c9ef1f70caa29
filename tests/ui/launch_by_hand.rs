use kernel_runtime::prelude::*;
use kernel_runtime::{Launch, LaunchArgument};

#[kernel(N = _, requires(N < y.len()))]
fn write_at<const N: usize>(y: &mut [u32]) {
    y[global_id(0) + N] = 1;
}

pub fn another_constant(y: &mut Buffer<u32>) {
    let _ = write_at(1, y).specialized(&[1 << 40]);
}

pub fn without_conditions(y: &mut Buffer<u32>) {
    let _ = Launch::new(&WRITE_AT, [LaunchArgument::slice_mut(y)]);
}

fn main() {}
