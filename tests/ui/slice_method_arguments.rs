use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    y.swap(1);
    y.fill(1.5);
}

fn main() {}
