use kernel_runtime::prelude::*;

#[kernel(D = _)]
fn run<const D: u32>(y: &mut [usize]) {
    y[0] = global_id(D);
}

fn main() {}
