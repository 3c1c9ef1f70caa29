use kernel_runtime::prelude::*;

mod maths {
    pub fn half(x: f32) -> f32 {
        x / 2.0
    }
}

const SCALE: f32 = 2.0;

fn sq(x: f32) -> f32 {
    x * x
}

#[kernel(T = [f32, f64])]
fn run<T: Float>(x: T, y: &mut [f32]) {
    let i = global_id(0);
    y[i] = sq(maths::half(y[i])) * SCALE + maths::nothing(y[i]) + nowhere(y[i]);
}

fn main() {}
