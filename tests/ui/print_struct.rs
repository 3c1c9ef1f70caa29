use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy, Debug)]
struct Point {
    x: f32,
    y: f32,
}

#[kernel]
fn run(x: &[f32]) {
    let point = Point { x: x[0], y: x[1] };
    println!("{point:?} is at {:?}", (point.x, point.y));
}

fn main() {}
