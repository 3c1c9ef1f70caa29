use kernel_runtime::prelude::*;

#[kernel(T = [f32, Vec<f32>])]
fn double<T: Copy>(x: &mut [T]) {
    x[global_id(0)] = x[global_id(0)];
}

#[kernel(N = [1.5])]
fn fill<const N: usize>(x: &mut [usize]) {
    x[global_id(0)] = N;
}

#[kernel(T = f32)]
fn triple<T: Number>(x: &mut [T]) {
    x[global_id(0)] += x[global_id(0)];
}

fn main() {}
