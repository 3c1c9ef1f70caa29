use kernel_runtime::prelude::*;

#[kernel]
fn run(n: &[i64], y: &mut [f32]) {
    y[1] = math::rsqrt(true);
    y[2] = math::ldexp(y[0], 1.5);
    y[3] = math::native_sin(1.0_f64);
}

fn main() {}
