use kernel_runtime::prelude::*;

#[kernel]
fn run(x: *const f32, y: &mut [f32]) {
    y[0] = unsafe { *x };
}

fn main() {}
