//! `impl`s that lead back to the types that list them, by way of functions, constants and other types.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device(impl, impl Add)]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

#[device]
const ORIGIN: Point = Point::new(1.0, 2.0);

/// It takes the type, and calls what it has.
#[device]
fn length(point: Point) -> f32 {
    let away = distant(point);
    away.x.abs() + away.y.abs()
}

#[device]
fn distant(point: Point) -> Point {
    point + Point::new(-1.0, 0.5)
}

#[device]
impl Point {
    const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    fn from_origin(self) -> f32 {
        length(self + ORIGIN)
    }

    fn polar(self) -> Polar {
        self.into()
    }

    fn within(self, frame: Frame) -> bool {
        frame.holds(self)
    }
}

#[device]
impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

/// Made of the other type, which is made of it.
#[device(impl From<Point>)]
#[derive(Clone, Copy)]
struct Polar {
    radius: f32,
    angle: f32,
}

#[device]
impl From<Point> for Polar {
    fn from(point: Point) -> Self {
        Self { radius: length(point), angle: point.y }
    }
}

/// It holds the type, and has what takes it.
#[device(impl)]
#[derive(Clone, Copy)]
struct Frame {
    least: Point,
    most: Point,
}

#[device]
impl Frame {
    fn holds(self, point: Point) -> bool {
        self.least.x <= point.x && point.from_origin() <= self.most.from_origin()
    }
}

use std::ops::Add;

#[kernel]
pub fn lengths(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = Point::new(x[i], 1.0).from_origin();
}

#[kernel]
pub fn polar(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let polar = Point::new(x[i], 3.0).polar();
    y[i] = polar.radius * polar.angle;
}

#[kernel]
pub fn of_function(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = length(Point { x: x[i], y: 0.0 }) + ORIGIN.y;
}

#[kernel]
pub fn framed(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let frame = Frame { least: ORIGIN, most: Point::new(3.0, 3.0) };
    y[i] = if Point::new(x[i], 0.5).within(frame) { 1.0 } else { 0.0 };
}

/// Two types that are made of each other.
mod inner {
    use kernel_runtime::prelude::*;

    #[device(impl From<Fahrenheit>)]
    #[derive(Clone, Copy)]
    pub struct Celsius(pub f32);

    #[device(impl From<Celsius>)]
    #[derive(Clone, Copy)]
    pub struct Fahrenheit(pub f32);

    #[device]
    impl From<Fahrenheit> for Celsius {
        fn from(degrees: Fahrenheit) -> Self {
            Self((degrees.0 - 32.0) / 1.8)
        }
    }

    #[device]
    impl From<Celsius> for Fahrenheit {
        fn from(degrees: Celsius) -> Self {
            Self(degrees.0 * 1.8 + 32.0)
        }
    }
}

use inner::{Celsius, Fahrenheit};

#[kernel]
pub fn degrees(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let warm: Fahrenheit = Celsius(x[i]).into();
    let again = Celsius::from(warm);
    y[i] = warm.0 + again.0;
}

pub fn cases() -> Vec<Case> {
    let values = [0.0_f32, 1.5, -4.0];
    let point = |x| Point::new(x, 3.0);
    let frame = Frame { least: ORIGIN, most: Point::new(3.0, 3.0) };
    vec![
        Case::of(&LENGTHS)
            .input(&values)
            .output(&map(&values, |x| Point::new(x, 1.0).from_origin()))
            .items([3]),
        Case::of(&POLAR)
            .input(&values)
            .output(&map(&values, |x| point(x).polar().radius * point(x).polar().angle))
            .items([3]),
        Case::of(&OF_FUNCTION)
            .input(&values)
            .output(&map(&values, |x| length(Point { x, y: 0.0 }) + ORIGIN.y))
            .items([3]),
        Case::of(&FRAMED)
            .input(&values)
            .output(&map(&values, |x| f32::from(u8::from(Point::new(x, 0.5).within(frame)))))
            .items([3]),
        Case::of(&DEGREES)
            .input(&[0.0_f32, 100.0])
            .output(&map(&[0.0_f32, 100.0], |x| {
                let warm = Fahrenheit::from(Celsius(x));
                warm.0 + Celsius::from(warm).0
            }))
            .items([2]),
    ]
}
