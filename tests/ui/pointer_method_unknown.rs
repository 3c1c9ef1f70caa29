use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let p = x.as_ptr();
    y[0] = unsafe { p.read_volatile() };
}

fn main() {}
