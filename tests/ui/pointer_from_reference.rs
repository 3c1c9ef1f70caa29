use kernel_runtime::prelude::*;

#[device]
unsafe fn first(x: *const f32) -> f32 {
    // SAFETY: the caller vouches for it.
    unsafe { *x }
}

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let p: *const f32 = &x[0];
    let all = [1.0, x[1]];
    y[0] = unsafe { *p + first(&all) };
    y[1] = unsafe { first(&x[0] as *const _) };
}

fn main() {}
