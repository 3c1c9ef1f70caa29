//! Generic device functions and traits: one body for several types, inferred anew for each.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::ops::{Add, Mul};

/// Bounded by the operators alone.
#[device]
fn axpy<T>(a: T, x: T, y: T) -> T
where
    T: Copy + Mul<Output = T> + Add<Output = T>,
{
    a * x + y
}

/// A length that is inferred from the argument, and one that is written.
#[device]
fn sum<const N: usize>(values: [i32; N]) -> i32 {
    let mut sum = 0_i32;
    for i in 0..N {
        sum = sum.wrapping_add(values[i]);
    }
    sum
}

#[device]
fn spread<const N: usize>(x: i32) -> [i32; N] {
    let mut values = [0; N];
    for i in 0..N {
        values[i] = x.wrapping_mul(i as i32);
    }
    values
}

#[device]
fn first<'a, T>(pair: &'a (T, T)) -> &'a T {
    &pair.0
}

#[device]
fn swap<T: Copy, U: Copy>(pair: (T, U)) -> (U, T) {
    (pair.1, pair.0)
}

/// A trait of the user's, with a constant, a type and a method that has a body, for a scalar and for two structs.
#[device]
pub mod shapes {
    pub trait Shape {
        const SIDES: i32;
        type Measure;

        fn area(&self) -> f32;

        fn measure(&self) -> Self::Measure;

        fn scaled(&self, factor: f32) -> f32 {
            self.area() * factor + Self::SIDES as f32
        }
    }

    #[derive(Clone, Copy)]
    pub struct Square(pub f32);

    #[derive(Clone, Copy)]
    pub struct Circle {
        pub radius: f32,
    }

    impl Shape for Square {
        const SIDES: i32 = 4;
        type Measure = i32;

        fn area(&self) -> f32 {
            self.0 * self.0
        }

        fn measure(&self) -> i32 {
            self.0 as i32
        }
    }

    impl Shape for Circle {
        const SIDES: i32 = 0;
        type Measure = f32;

        fn area(&self) -> f32 {
            3.0 * self.radius * self.radius
        }

        fn measure(&self) -> f32 {
            self.radius
        }

        fn scaled(&self, factor: f32) -> f32 {
            factor
        }
    }

    impl Shape for f32 {
        const SIDES: i32 = 1;
        type Measure = bool;

        fn area(&self) -> f32 {
            *self
        }

        fn measure(&self) -> bool {
            *self > 0.0
        }
    }

    pub fn both<A: Shape, B: Shape>(a: A, b: &B) -> f32 {
        a.scaled(2.0) - b.scaled(0.5) + (A::SIDES - <B as Shape>::SIDES) as f32
    }

    pub fn measured<S: Shape>(shape: &S) -> S::Measure {
        shape.measure()
    }
}

use shapes::{Circle, Shape, Square};

#[device]
fn integers(x: i32) -> i32 {
    let (a, b) = swap((x, 2_u8));
    let wide = axpy(3_i64, x as i64, -1);
    let total = sum([x, 1, 2]).wrapping_add(sum(spread::<5>(x)));
    total
        .wrapping_add(axpy(a as i32, b, *first(&(x, 7))))
        .wrapping_add(wide as i32)
        .wrapping_add(shapes::measured(&Square(2.5)))
}

#[device]
fn floats(x: f32) -> f32 {
    let circle = Circle { radius: x };
    let mut total = axpy(x, 0.5, 2.0) + shapes::both(Square(x), &circle);
    total += shapes::both(x, &Square(1.5)) + shapes::measured(&circle);
    if x.measure() {
        total += Shape::area(&circle);
    }
    total + Square::SIDES as f32
}

#[kernel]
pub fn generic_functions(x: &[i32], n: &mut [i32], y: &mut [f32]) {
    let i = global_id(0);
    n[i] = integers(x[i]);
    y[i] = floats(x[i] as f32);
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, -1, 2, 3, 100, -100, 4000];
    vec![
        Case::of(&GENERIC_FUNCTIONS)
            .input(&x)
            .output(&map(&x, integers))
            .output(&map(&x, |x| floats(x as f32)))
            .items([x.len()]),
    ]
}
