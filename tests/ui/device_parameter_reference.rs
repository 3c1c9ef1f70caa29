use kernel_runtime::prelude::*;

#[device]
fn add(sum: &mut f32, x: f32) {
    *sum += x;
}

fn main() {}
