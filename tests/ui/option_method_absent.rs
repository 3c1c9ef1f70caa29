use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[f32], y: &mut [f32]) {
    y[0] = x.first().copied().as_slice()[0];
    y[1] = Some(1.0).as_mut_slice()[0];
}

fn main() {}
