use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = y[i + 1] + 1.0;
}

fn main() {}
