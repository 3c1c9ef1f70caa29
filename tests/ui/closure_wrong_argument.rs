use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let double = |x: f32| x + x;
    y[0] = double(1_u32);
    y[1] = double(1.0, 2.0);
}

fn main() {}
