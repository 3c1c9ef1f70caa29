use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[u32], y: &mut [u32]) {
    let one = x.iter().flat_map(|n| 0..*n);
    let other = x.iter().flat_map(|n| *n..9);
    y[global_id(0)] = one.zip(other).map(|(a, b)| a * b).sum();
}

fn main() {}
