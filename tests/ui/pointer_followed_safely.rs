use kernel_runtime::prelude::*;

#[device]
fn first(x: *const f32) -> f32 {
    *x
}

#[device]
unsafe fn vouched(x: *const f32) -> f32 {
    // SAFETY: the caller vouches for it.
    unsafe { *x }
}

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    y[global_id(0)] = vouched(x.as_ptr());
    y[global_id(0)] = x.as_ptr().add(1).read();
    y.as_mut_ptr().write(2.0);
}

fn main() {}
