use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let address = x.as_ptr() as usize;
    let other = (address + 4) as *const f32;
    y[0] = unsafe { *other };
}

fn main() {}
