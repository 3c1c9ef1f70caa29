use kernel_runtime::prelude::*;

#[kernel]
fn run<'a>(x: &'a [f32], y: &'a mut [f32]) {
    y[0] = x[0];
}

fn main() {}
