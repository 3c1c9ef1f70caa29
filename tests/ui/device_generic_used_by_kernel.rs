use kernel_runtime::prelude::*;

#[device]
fn sq<T: Copy>(x: T) -> T {
    x
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = sq(y[0]);
}

fn main() {}
