use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32x4], y: &mut [f32x2]) {
    y[0] = x[0].swizzle2::<0, 4>();
}

fn main() {}
