use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0.0);
    let j = global_id(0usize);
    y[0] = 1.0;
}

fn main() {}
