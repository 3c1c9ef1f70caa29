use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point { x: y[0] };
    y[0] = p.z;
    let q = Point { w: 1.0 };
    y[1] = q.x;
}

fn main() {}
