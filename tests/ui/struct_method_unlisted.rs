use kernel_runtime::prelude::*;
use std::ops::Neg;

#[device(impl Neg)]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[device]
impl Neg for Point {
    type Output = Self;

    fn neg(self) -> Self {
        Self { x: -self.x }
    }
}

#[device]
impl Point {
    fn double(self) -> f32 {
        self.x + self.x
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = Point { x: y[0] }.double();
}

fn main() {}
