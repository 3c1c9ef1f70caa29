use kernel_runtime::prelude::*;

mod maths {
    pub fn half(x: f32) -> f32 {
        x / 2.0
    }
}

fn sq(x: f32) -> f32 {
    x * x
}

#[device]
fn both(x: f32) -> f32 {
    sq(maths::half(x))
}

fn main() {}
