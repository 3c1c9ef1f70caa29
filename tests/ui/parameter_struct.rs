use kernel_runtime::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[kernel]
fn run(p: Point, y: &mut [f32]) {
    y[0] = p.x;
}

fn main() {}
