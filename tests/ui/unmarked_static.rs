use kernel_runtime::prelude::*;

static TABLE: [f32; 2] = [1.0, 2.0];

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = TABLE[0];
}

fn main() {}
