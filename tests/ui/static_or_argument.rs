use kernel_runtime::prelude::*;

#[device]
static TABLE: [u32; 4] = [1, 2, 3, 4];

#[kernel]
fn run(x: &[u32], y: &mut [u32]) {
    let source = if y[0] > 1 { x } else { &TABLE[..] };
    y[0] = source[0];
}

fn main() {}
