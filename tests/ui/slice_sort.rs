use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    y.sort();
}

fn main() {}
