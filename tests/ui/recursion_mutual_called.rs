use kernel_runtime::prelude::*;

#[device]
fn even(n: u32) -> bool {
    n == 0 || odd(n - 1)
}

#[device]
fn odd(n: u32) -> bool {
    n != 0 && even(n - 1)
}

#[kernel]
fn run(y: &mut [u32]) {
    y[global_id(0)] = u32::from(even(3));
}

fn main() {}
