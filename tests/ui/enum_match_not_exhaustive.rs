use kernel_runtime::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Shape {
    Circle(f32),
    Dot,
}

#[kernel]
fn run(y: &mut [f32]) {
    let shape = if y[global_id(0)] > 0.0 { Shape::Circle(y[global_id(0)]) } else { Shape::Dot };
    y[global_id(0)] = match shape {
        Shape::Circle(r) => r,
    };
}

fn main() {}
