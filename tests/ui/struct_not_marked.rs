use kernel_runtime::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point { x: y[0] };
    y[0] = p.x;
}

fn main() {}
