use kernel_runtime::prelude::*;

#[kernel(races(y))]
fn without_unsafe(y: &mut [f32]) {
    y[0] = 1.0;
}

#[kernel(unsafe(races()))]
fn without_names(y: &mut [f32]) {
    y[0] = 1.0;
}

#[kernel(unsafe(races(x, z)))]
fn of_others(x: &[f32], y: &mut [f32]) {
    y[global_id(0)] = x[0];
}

#[kernel(unsafe(races(x)))]
fn of_another(x: &mut [f32], y: &mut [f32]) {
    x[0] = 1.0;
    y[0] = 2.0;
}

fn main() {}
