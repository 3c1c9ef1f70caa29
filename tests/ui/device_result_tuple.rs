use kernel_runtime::prelude::*;

#[device]
fn sum_and_difference(a: f32, b: f32) -> (f32, f32) {
    (a + b, a - b)
}

fn main() {}
