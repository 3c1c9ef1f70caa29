use kernel_runtime::prelude::*;

#[device(import = "noise")]
unsafe fn noise(x: f32) -> f32 {
    x
}

#[kernel]
fn without_unsafe(y: &mut [f32]) {
    y[global_id(0)] = noise(1.0);
}

#[kernel]
fn wrong_arguments(y: &mut [f32]) {
    unsafe {
        y[global_id(0)] = noise(1) + noise(1.0, 2.0);
    }
}

#[kernel]
fn divergent(y: &mut [f32]) {
    if unsafe { noise(1.0) } > 0.5 {
        barrier();
    }
    y[global_id(0)] = 0.0;
}

fn main() {}
