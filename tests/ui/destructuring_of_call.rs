use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    (y[0], y.len()) = (1, 2);
}

fn main() {}
