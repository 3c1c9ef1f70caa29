use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Shape {
    Circle(f32),
    Empty,
}

#[device]
#[derive(Clone, Copy)]
struct Point(f32);

#[device]
fn area(shape: Shape) -> f32 {
    use Shape::*;
    let origin = Point(1.0);
    match shape {
        Circle(r) => r * origin.0,
        Empty => self::Point(0.5).0,
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = area(Shape::Circle(y[0]));
}

fn main() {}
