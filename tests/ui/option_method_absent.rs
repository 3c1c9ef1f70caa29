use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32], y: &mut [f32]) {
    y[0] = x.first().copied().as_slice()[0];
    y[1] = *Some(1.0).get_or_insert_default();
    y[2] = x.get(1).iter().map(|value| **value).sum();
}

fn main() {}
