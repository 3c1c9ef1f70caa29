use kernel_runtime::prelude::*;

#[kernel(N = _)]
fn run<const N: u32>(y: &mut [u32]) {
    y[global_id(0)] = N;
}

fn launch(y: &mut Buffer<u32>) {
    let _ = run(y);
    let _ = run::<3>(y);
    let _ = run(3, y);
}

fn main() {}
