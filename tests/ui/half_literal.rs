use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &mut [f16]) {
    x[0] = 1.0;
}

fn main() {}
