use kernel_runtime::prelude::*;
use std::f32::consts::TAU;

#[device]
fn circle(r: f32) -> f32 {
    TAU * r
}

#[device]
fn sphere(r: f32) -> f32 {
    TAU * r * E
}

fn main() {}
