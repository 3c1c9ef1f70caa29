use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f16], y: &mut [bf16]) {
    y[0] = y[0] + x[0];
}

fn main() {}
