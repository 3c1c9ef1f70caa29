use kernel_runtime::prelude::*;

#[device(impl)]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

#[device]
fn length(point: Point) -> f32 {
    point.x.hypot(point.z())
}

#[device]
fn name(point: Point) -> f32 {
    let name = c"point";
    point.x
}

#[device]
impl Point {
    fn length(self) -> f32 {
        length(self) + name(self)
    }

    fn wrong(self) -> f32 {
        length(self).scaled()
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point { x: y[0], y: y[1] };
    y[0] = p.length() + p.wrong();
}

fn main() {}
