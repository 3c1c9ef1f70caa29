use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = mad(y[i], 2.0, 1.0) + fma(y[i], 2.0, 1.0) + clamp(y[i], 0.0, 1.0) + mix(y[i], 1.0, 0.5);
    y[i] += native_sin(y[i]) + rsqrt(y[i]) + select(y[i], 1.0, 2);
    y[i] += sqrt(y[i]) + pow(y[i], 2.0) + fmax(y[i], M_PI_F);
}

fn main() {}
