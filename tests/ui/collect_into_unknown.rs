use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Pair(u32, u32);

#[kernel]
fn run(x: &[u32], y: &mut [u32]) {
    let pair: Pair = x.iter().copied().collect();
    y[0] = pair.0;
}

fn main() {}
