use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f16], y: &mut [u8]) {
    y[0] = x[0].to_le_bytes()[0];
}

fn main() {}
