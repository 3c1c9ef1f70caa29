use kernel_runtime::prelude::*;

#[device]
fn sq(x: f32) -> f32 {
    let _text = c"square";
    x * x
}

#[kernel]
fn one(y: &mut [f32]) {
    y[0] = sq(y[0]);
}

#[kernel]
fn two(y: &mut [f32]) {
    y[1] = sq(y[1]);
}

fn main() {}
