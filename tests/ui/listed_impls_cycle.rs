use kernel_runtime::prelude::*;

#[device(impl)]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

#[device]
fn length(point: Point) -> f32 {
    point.x.hypot(point.y)
}

#[device]
impl Point {
    fn length(self) -> f32 {
        length(self)
    }
}

fn main() {}
