use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[kernel]
fn run(p: Point, points: &[Point], y: &mut [f32]) {
    y[0] = p.x + points[0].x;
}

fn main() {}
