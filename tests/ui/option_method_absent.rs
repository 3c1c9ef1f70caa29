use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32], y: &mut [f32]) {
    y[0] = x.first().copied().unwrap_or_default();
    for value in x.first() {
        y[1] = *value;
    }
    y[2] = x.get(1).iter().map(|value| **value).sum();
}

fn main() {}
