use kernel_runtime::prelude::*;

#[kernel(N = [1.5])]
fn number<const N: usize>(y: &mut [f32]) {
    y[global_id(0)] = N as f32;
}

#[kernel(T = [f31])]
fn ty<T: Copy>(x: T, y: &mut [T]) {
    y[global_id(0)] = x;
}

fn main() {}
