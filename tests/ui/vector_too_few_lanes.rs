use kernel_runtime::prelude::*;

#[kernel]
fn k(y: &mut [f32x4]) {
    y[0] = f32x4::new(1.0, 2.0, 3.0);
}

fn main() {}
