use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let index = global_id(0);
    y[indx] = 1.0;
}

fn main() {}
