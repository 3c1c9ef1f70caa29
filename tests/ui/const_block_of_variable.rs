use kernel_runtime::prelude::*;

#[kernel]
fn run(n: u32, y: &mut [u32]) {
    y[0] = const { n + 1 };
}

fn main() {}
