use kernel_runtime::prelude::*;

#[device(inline)]
fn half(x: f32) -> f32 {
    x * 0.5
}

fn main() {}
