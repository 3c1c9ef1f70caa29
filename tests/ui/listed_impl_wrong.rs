use kernel_runtime::prelude::*;
use std::ops::{Add, Sub};

#[device(impl, impl Add, impl Sub)]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

#[device]
impl Point {
    fn new(x: f32, y: f32) -> Self {
        let name = c"point";
        Self { x, y }
    }
}

#[device]
impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y).scaled(1.0)
    }
}

#[device]
impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + other * 2.0
    }
}

impl Point {
    fn scaled(self, by: f32) -> Self {
        Self { x: self.x * by, y: self.y * by }
    }
}

impl std::ops::Mul<f32> for Point {
    type Output = Self;

    fn mul(self, by: f32) -> Self {
        Self { x: self.x * by, y: self.y * by }
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    let p = Point::new(y[0], 1.0);
    y[0] = (p + p).x;
}

fn main() {}
