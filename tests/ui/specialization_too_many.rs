use kernel_runtime::prelude::*;

#[kernel(A = _, B = _, C = _, D = _, E = _)]
fn run<const A: u32, const B: u32, const C: u32, const D: u32, const E: u32>(y: &mut [u32]) {
    y[0] = A + B + C + D + E;
}

fn main() {}
