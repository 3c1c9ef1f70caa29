use kernel_runtime::prelude::*;
use maths::quarter;

mod maths {
    pub fn half(x: f32) -> f32 {
        x / 2.0
    }

    pub fn quarter(x: f32) -> f32 {
        x / 4.0
    }
}

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

const SCALE: f32 = 2.0;

#[device]
#[derive(Clone, Copy)]
struct Line {
    from: Point,
}

#[device]
fn x(point: Point) -> f32 {
    quarter(SCALE * maths::half(point.x))
}

mod inner {
    use super::*;

    #[device]
    pub fn eighth(x: f32) -> f32 {
        quarter(self::own(x))
    }

    fn own(x: f32) -> f32 {
        x / 2.0
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    let point = Point { x: y[0] };
    y[0] = x(point) + inner::eighth(y[0]) + Line { from: point }.from.x;
}

fn main() {}
