use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
struct Point {
    x: f32,
}

#[kernel]
fn run(points: &[Point], y: &mut [f32]) {
    y[global_id(0)] = points[0].x;
}

fn main() {}
