use kernel_runtime::prelude::*;

type Real = f32;

#[kernel]
fn run(y: &mut [Real]) {
    y[0] = 1.0;
}

fn main() {}
