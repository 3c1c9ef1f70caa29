use kernel_runtime::prelude::*;

struct Point {
    x: f32,
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point { x: 1.0 };
    y[0] = p.x;
}

fn main() {}
