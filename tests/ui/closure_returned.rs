use kernel_runtime::prelude::*;

#[device]
fn adder(by: f32) -> impl Fn(f32) -> f32 {
    move |x| x + by
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = adder(1.0)(y[0]);
}

fn main() {}
