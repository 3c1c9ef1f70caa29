use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[0] = unsafe { *x.get_unchecked(0) };
}

fn main() {}
