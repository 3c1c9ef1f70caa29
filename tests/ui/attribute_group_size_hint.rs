use kernel_runtime::prelude::*;

#[kernel(group_size_hint = [16, 16], group_size = 256)]
fn both(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

#[kernel(group_size_hint = 0)]
fn none(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
