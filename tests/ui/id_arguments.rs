use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id();
    let j = local_id(0, 1);
    y[0] = 1.0;
}

fn main() {}
