use kernel_runtime::prelude::*;

#[device]
mod maths {
    pub fn half(x: f32) -> f32 {
        x * 0.5
    }

    pub fn exponential(x: f32) -> f32 {
        __expf(half(x))
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = maths::exponential(y[0]) + maths::half(y[0]);
}

fn main() {}
