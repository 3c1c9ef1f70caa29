//! `impl`s: methods by value and by reference, associated functions and constants, operators, generic types, and modules whose items
//! know each other.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
pub mod geometry {
    use std::ops::{Add, AddAssign, Index, Mul, Neg};

    #[derive(Clone, Copy, PartialEq)]
    pub struct Vec3 {
        pub x: f32,
        pub y: f32,
        pub z: f32,
    }

    #[derive(Clone, Copy)]
    pub struct Ray {
        pub origin: Vec3,
        pub direction: Vec3,
    }

    impl Vec3 {
        pub const ZERO: Self = Self { x: 0.0, y: 0.0, z: 0.0 };
        pub const DIMENSIONS: usize = 3;

        pub const fn new(x: f32, y: f32, z: f32) -> Self {
            Self { x, y, z }
        }

        pub fn dot(self, other: Self) -> f32 {
            self.x * other.x + self.y * other.y + self.z * other.z
        }

        pub fn scale(&mut self, factor: f32) -> &mut Self {
            self.x *= factor;
            self.y *= factor;
            self.z *= factor;
            self
        }

        /// The two types know each other.
        pub fn towards(&self, direction: Vec3) -> Ray {
            Ray { origin: *self, direction }
        }
    }

    impl Ray {
        pub fn at(&self, t: f32) -> Vec3 {
            self.origin + self.direction * t
        }

        pub fn start(&self) -> &Vec3 {
            &self.origin
        }
    }

    impl Add for Vec3 {
        type Output = Vec3;

        fn add(self, other: Vec3) -> Self::Output {
            Vec3::new(self.x + other.x, self.y + other.y, self.z + other.z)
        }
    }

    impl Mul<f32> for Vec3 {
        type Output = Vec3;

        fn mul(self, factor: f32) -> Vec3 {
            Vec3::new(self.x * factor, self.y * factor, self.z * factor)
        }
    }

    impl Mul<Vec3> for f32 {
        type Output = Vec3;

        fn mul(self, vector: Vec3) -> Vec3 {
            vector * self
        }
    }

    impl Neg for Vec3 {
        type Output = Self;

        fn neg(self) -> Self {
            Self::new(-self.x, -self.y, -self.z)
        }
    }

    impl AddAssign for Vec3 {
        fn add_assign(&mut self, other: Self) {
            *self = *self + other;
        }
    }

    /// What an index refers to is chosen by a field of its own, since a reference cannot depend on a condition.
    impl Index<usize> for Axes {
        type Output = f32;

        fn index(&self, index: usize) -> &f32 {
            &self.0[index]
        }
    }

    #[derive(Clone, Copy)]
    pub struct Axes(pub [f32; 3]);

    pub fn length(v: Vec3) -> f32 {
        v.dot(v).sqrt()
    }
}

use geometry::{Axes, Ray, Vec3};

/// A type by itself, which lists its `impl`s.
#[device(impl, impl PartialEq)]
#[derive(Clone, Copy)]
pub struct Fraction {
    numerator: i32,
    denominator: i32,
}

#[device]
impl Fraction {
    const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

    fn of(numerator: i32, denominator: i32) -> Self {
        Self { numerator, denominator }
    }

    fn value(self) -> i32 {
        if self.denominator == 0 { i32::MAX } else { self.numerator / self.denominator }
    }
}

#[device]
impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.numerator.wrapping_mul(other.denominator) == other.numerator.wrapping_mul(self.denominator)
    }
}

/// A generic type with methods, one of them generic too.
#[device(impl)]
#[derive(Clone, Copy)]
pub struct Stack<T, const N: usize> {
    items: [T; N],
    len: usize,
}

#[device]
impl<T: Copy, const N: usize> Stack<T, N> {
    const CAPACITY: usize = N;

    fn filled(item: T) -> Self {
        Self { items: [item; N], len: 0 }
    }

    fn push(&mut self, item: T) -> bool {
        if self.len == N {
            return false;
        }
        self.items[self.len] = item;
        self.len += 1;
        true
    }

    fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        Some(self.items[self.len])
    }
}

/// Functions that need items of their module which they do not name.
#[device]
mod unnamed {
    trait Area {
        fn area(self) -> f32;
    }

    impl Area for f32 {
        fn area(self) -> f32 {
            self * self
        }
    }

    #[derive(Clone, Copy)]
    struct Square(f32);

    #[derive(Clone, Copy)]
    struct Side(f32);

    impl Square {
        fn side(self) -> Side {
            Side(self.0 + 1.0)
        }
    }

    impl Area for Side {
        fn area(self) -> f32 {
            self.0.area() + 0.5
        }
    }

    fn square(x: f32) -> Square {
        Square(x)
    }

    /// Its method is of a trait.
    pub fn of_number(x: f32) -> f32 {
        x.area()
    }

    /// The types are results.
    pub fn of_result(x: f32) -> f32 {
        square(x).side().area()
    }
}

#[kernel]
pub fn methods_of_what_is_not_named(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = unnamed::of_number(x[i]) - unnamed::of_result(x[i]);
}

#[device]
fn walk(x: f32) -> (f32, bool) {
    let mut v = Vec3::new(x, 2.0, -1.0);
    v += Vec3 { x: 0.5, ..Vec3::ZERO };
    v.scale(2.0).scale(0.5);
    let ray: Ray = v.towards(-v * 0.25);
    let p = ray.at(3.0) + 2.0 * *ray.start();
    let axes = Axes([p.x, p.y, p.z]);
    let dimensions = Vec3::DIMENSIONS as f32 + axes[1];
    (geometry::length(p) + p.dot(v) * dimensions, p == v)
}

#[device]
fn count(x: i32) -> i32 {
    let half = Fraction::of(x, 2);
    let mut sum = half.value();
    if half == Fraction::of(x.wrapping_mul(2), 4) {
        sum = sum.wrapping_add(100);
    }
    if half != Fraction::ONE {
        sum = sum.wrapping_add(1000);
    }
    let mut stack = Stack::<i32, 4>::filled(-1);
    for i in 0..(x & 7) {
        if !stack.push(i * 3) {
            sum = sum.wrapping_sub(7);
        }
    }
    while let Some(top) = stack.pop() {
        sum = sum.wrapping_mul(3).wrapping_add(top);
    }
    sum.wrapping_add(Stack::<i32, 4>::CAPACITY as i32)
}

#[kernel]
pub fn methods_of_types(x: &[i32], y: &mut [f32], same: &mut [bool], n: &mut [i32]) {
    let i = global_id(0);
    (y[i], same[i]) = walk(x[i] as f32);
    n[i] = count(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x = [0, 1, -1, 2, 3, 4, 5, 7, 15, 100, -100];
    vec![
        Case::of(&METHODS_OF_TYPES)
            .input(&x)
            .output(&map(&x, |x| walk(x as f32).0))
            .output(&map(&x, |x| walk(x as f32).1))
            .output(&map(&x, count))
            .items([x.len()]),
        Case::of(&METHODS_OF_WHAT_IS_NOT_NAMED)
            .input(&[0.0f32, 1.5, -3.0])
            .output(&[0.0f32, 1.5, -3.0].map(|x| unnamed::of_number(x) - unnamed::of_result(x)))
            .items([3]),
    ]
}
