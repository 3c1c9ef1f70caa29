use kernel_runtime::prelude::*;

#[device(import = "noise")]
unsafe fn noise(x: f32) -> f32 {
    x
}

#[device(import = "noise")]
unsafe fn noise_of_two(x: f32, y: f32) -> f32 {
    x + y
}

#[device(import = "noise")]
unsafe fn noise_without_result(x: f32) {
    let _ = x;
}

#[device(import = "own_name")]
unsafe fn other(x: f32) -> f32 {
    x
}

#[kernel]
fn two_types(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = unsafe { noise(y[i]) };
    y[i] = unsafe { noise_of_two(y[i], 1.0) };
    unsafe { noise_without_result(y[i]) };
}

#[kernel]
fn own_name(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = unsafe { other(y[i]) };
}

fn main() {}
