use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    let copy = y.to_vec();
}

fn main() {}
