use kernel_runtime::prelude::*;

#[device]
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[device]
#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Packed {
    x: f32,
}

#[kernel]
fn run(points: &[Point], packed: Packed, y: &mut [f32]) {
    y[0] = points[0].x + packed.x;
}

fn main() {}
