use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_idx(0);
    y[i] = twice(y[i]);
}

fn main() {}
