use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = min(global_id(0), y.len());
    y[i] = 1.0;
}

fn main() {}
