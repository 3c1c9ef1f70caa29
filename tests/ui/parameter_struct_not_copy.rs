use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
struct Point {
    x: f32,
}

#[kernel]
fn run(points: &[Point], y: &mut [f32]) {
    y[0] = points[0].x;
}

fn main() {}
