use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    let [a, b];
    [a, b] = [1, 2];
    y[0] = a + b;
}

fn main() {}
