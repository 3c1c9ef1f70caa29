use kernel_runtime::prelude::*;

use std::f32::consts::PI;

#[device]
fn circle(r: f32) -> f32 {
    2.0 * PI * r
}

fn main() {}
