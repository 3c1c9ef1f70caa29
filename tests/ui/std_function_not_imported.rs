use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = min(global_id(0), 7);
    y[i] = 1.0;
}

fn main() {}
