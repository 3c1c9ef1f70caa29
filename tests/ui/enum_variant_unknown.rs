use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Shape {
    Circle(f32),
    Dot,
}

#[kernel]
fn run(y: &mut [f32]) {
    let shape = Shape::Square(y[0]);
    y[0] = match shape {
        Shape::Circle(r) => r,
        Shape::Dot => 0.0,
    };
}

fn main() {}
