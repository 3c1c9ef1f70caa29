use kernel_runtime::prelude::*;

#[device]
fn factorial(n: u32) -> u32 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

#[kernel]
fn run(y: &mut [u32]) {
    y[0] = factorial(5);
}

fn main() {}
