#![deny(unused_must_use)]

use kernel_runtime::prelude::*;

#[kernel]
fn scale(y: &mut [f32]) {
    y[global_id(0)] *= 2.0;
}

pub fn host(y: &mut Buffer<f32>) {
    scale(y);
}

fn main() {}
