//! Small types as libraries have them: each with its operators in listed `impl`s that use each other.
#![allow(
    clippy::suspicious_arithmetic_impl,
    reason = "a quotient of fractions is a product with the reciprocal"
)]

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;
use std::cmp::Ordering;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Rem, Shl, Sub, SubAssign,
};

#[device(impl, impl Add, impl Sub, impl Mul, impl Mul<f32>, impl Div, impl Neg, impl AddAssign, impl MulAssign, impl PartialEq, impl From<f32>, impl Default)]
#[derive(Clone, Copy)]
pub struct Complex {
    pub re: f32,
    pub im: f32,
}

#[device]
impl Complex {
    pub const ZERO: Self = Self::new(0.0, 0.0);
    pub const I: Self = Self::new(0.0, 1.0);

    pub const fn new(re: f32, im: f32) -> Self {
        Self { re, im }
    }

    pub fn conj(self) -> Self {
        Self::new(self.re, -self.im)
    }

    pub fn norm_sqr(self) -> f32 {
        (self * self.conj()).re
    }

    pub fn powi(self, n: u32) -> Self {
        let mut result = Self::from(1.0);
        for _ in 0..n {
            result *= self;
        }
        result
    }
}

#[device]
impl Add for Complex {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self::new(self.re + rhs.re, self.im + rhs.im)
    }
}

#[device]
impl Sub for Complex {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self::Output {
        self + -rhs
    }
}

#[device]
impl Mul for Complex {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        Self::new(self.re * rhs.re - self.im * rhs.im, self.re * rhs.im + self.im * rhs.re)
    }
}

#[device]
impl Mul<f32> for Complex {
    type Output = Self;
    fn mul(self, k: f32) -> Self {
        self * Self::from(k)
    }
}

#[device]
impl Div for Complex {
    type Output = Self;
    fn div(self, rhs: Self) -> Self {
        self * rhs.conj() * (1.0 / rhs.norm_sqr())
    }
}

#[device]
impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

#[device]
impl AddAssign for Complex {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

#[device]
impl MulAssign for Complex {
    fn mul_assign(&mut self, rhs: Self) {
        *self = *self * rhs;
    }
}

#[device]
impl PartialEq for Complex {
    fn eq(&self, rhs: &Self) -> bool {
        (*self - *rhs).norm_sqr() == 0.0
    }
}

#[device]
impl From<f32> for Complex {
    fn from(re: f32) -> Self {
        Self { re, ..Self::default() }
    }
}

#[device]
impl Default for Complex {
    fn default() -> Self {
        Self::ZERO
    }
}

#[device(impl, impl Add, impl Sub, impl Mul<T>, impl Index<usize>, impl IndexMut<usize>, impl SubAssign)]
#[derive(Clone, Copy)]
pub struct Vec3<T>([T; 3]);

#[device]
impl<T: Number> Vec3<T> {
    fn new(x: T, y: T, z: T) -> Self {
        Self([x, y, z])
    }

    fn dot(self, other: Self) -> T {
        self[0] * other[0] + self[1] * other[1] + self[2] * other[2]
    }

    fn cross(self, o: Self) -> Self {
        Self::new(
            self[1] * o[2] - self[2] * o[1],
            self[2] * o[0] - self[0] * o[2],
            self[0] * o[1] - self[1] * o[0],
        )
    }

    fn reflect(self, n: Self) -> Self {
        let twice = self.dot(n) + self.dot(n);
        let mut result = self;
        result -= n * twice;
        result
    }
}

#[device]
impl<T: Number> Add for Vec3<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::new(self[0] + o[0], self[1] + o[1], self[2] + o[2])
    }
}

#[device]
impl<T: Number> Sub for Vec3<T> {
    type Output = Vec3<T>;
    fn sub(self, o: Vec3<T>) -> Vec3<T> {
        Vec3::new(self[0] - o[0], self[1] - o[1], self[2] - o[2])
    }
}

#[device]
impl<T: Number> Mul<T> for Vec3<T> {
    type Output = Self;
    fn mul(mut self, k: T) -> Self {
        for i in 0..3 {
            self[i] = self[i] * k;
        }
        self
    }
}

#[device]
impl<T> Index<usize> for Vec3<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

#[device]
impl<T> IndexMut<usize> for Vec3<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}

#[device]
impl<T: Number> SubAssign for Vec3<T> {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// Two types that are multiplied by each other stand in a module.
#[device]
mod matrix {
    use std::ops::{Add, Mul, Not};

    #[derive(Clone, Copy)]
    pub struct Matrix2 {
        pub rows: [[i32; 2]; 2],
    }

    #[derive(Clone, Copy)]
    pub struct Column(pub i32, pub i32);

    impl Matrix2 {
        const IDENTITY: Self = Self::of([[1, 0], [0, 1]]);

        pub const fn of(rows: [[i32; 2]; 2]) -> Self {
            Self { rows }
        }

        pub fn column(self, i: usize) -> Column {
            Column(self.rows[0][i], self.rows[1][i])
        }

        pub fn trace(self) -> i32 {
            self.rows[0][0].wrapping_add(self.rows[1][1])
        }

        pub fn pow(self, n: u32) -> Self {
            (0..n).fold(Self::IDENTITY, |product, _| product * self)
        }
    }

    impl Column {
        fn dot(self, o: Self) -> i32 {
            self.0.wrapping_mul(o.0).wrapping_add(self.1.wrapping_mul(o.1))
        }
    }

    impl Mul for Matrix2 {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            let (a, b) = (self * o.column(0), self * o.column(1));
            Self::of([[a.0, b.0], [a.1, b.1]])
        }
    }

    impl Mul<Column> for Matrix2 {
        type Output = Column;
        fn mul(self, c: Column) -> Column {
            c * !self
        }
    }

    /// As a row, from the left.
    impl Mul<Matrix2> for Column {
        type Output = Column;
        fn mul(self, m: Matrix2) -> Column {
            Column(self.dot(m.column(0)), self.dot(m.column(1)))
        }
    }

    impl Add for Matrix2 {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            let sum = |i: usize, j: usize| self.rows[i][j].wrapping_add(o.rows[i][j]);
            Self::of([[sum(0, 0), sum(0, 1)], [sum(1, 0), sum(1, 1)]])
        }
    }

    /// The transpose.
    impl Not for Matrix2 {
        type Output = Self;
        fn not(self) -> Self {
            let [[a, b], [c, d]] = self.rows;
            Self::of([[a, c], [b, d]])
        }
    }
}
use matrix::{Column, Matrix2};

#[device(impl, impl From<i16>, impl TryFrom<i32>, impl Add, impl Mul, impl Div, impl Shl<u32>, impl PartialEq, impl PartialOrd)]
#[derive(Clone, Copy)]
pub struct Fixed(i32);

#[device]
impl Fixed {
    const BITS: u32 = 8;
    const ONE: Self = Self(1 << Self::BITS);
    const HALF: Self = Self(Self::ONE.0 / 2);

    fn floor(self) -> i32 {
        self.0 >> Self::BITS
    }

    fn round(self) -> i32 {
        (self + Self::HALF).floor()
    }

    fn clamp_to(self, low: Self, high: Self) -> Self {
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }
}

#[device]
impl From<i16> for Fixed {
    fn from(x: i16) -> Self {
        Self(x as i32) << Self::BITS
    }
}

#[device]
impl TryFrom<i32> for Fixed {
    type Error = i32;
    fn try_from(x: i32) -> Result<Self, i32> {
        if x.abs() < 1000 { Ok(Self::from(x as i16)) } else { Err(x) }
    }
}

#[device]
impl Add for Fixed {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self(self.0.wrapping_add(o.0))
    }
}

#[device]
impl Mul for Fixed {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self((self.0 as i64 * o.0 as i64 >> Self::BITS) as i32)
    }
}

#[device]
impl Div for Fixed {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        if o == Self(0) { Self::ONE } else { Self((((self.0 as i64) << Self::BITS) / o.0 as i64) as i32) }
    }
}

#[device]
impl Shl<u32> for Fixed {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        Self(self.0.wrapping_shl(by))
    }
}

#[device]
impl PartialEq for Fixed {
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0
    }
}

#[device]
impl PartialOrd for Fixed {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        self.0.partial_cmp(&o.0)
    }
}

#[device]
const fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a < 0 { -a } else { a }
}

#[device(impl, impl Add, impl Sub, impl Mul, impl Div, impl Rem, impl Neg, impl DivAssign, impl From<i32>)]
#[derive(Clone, Copy)]
pub struct Rational {
    n: i64,
    d: i64,
}

#[device]
impl Rational {
    const ONE: Self = Self::raw(1, 1);

    const fn raw(n: i64, d: i64) -> Self {
        Self { n, d }
    }

    fn new(n: i64, d: i64) -> Self {
        Self::raw(n, d).reduced()
    }

    fn reduced(self) -> Self {
        let by = gcd(self.n, self.d);
        let by = if self.d < 0 { -by } else { by };
        Self { n: self.n / by, d: self.d / by }
    }

    fn recip(self) -> Self {
        if self.n == 0 { Self::ONE } else { Self::ONE / self }
    }

    fn floor(self) -> i64 {
        self.n.div_euclid(self.d)
    }
}

#[device]
impl Add for Rational {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::new(self.n * o.d + o.n * self.d, self.d * o.d)
    }
}

#[device]
impl Sub for Rational {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + (-o)
    }
}

#[device]
impl Mul for Rational {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self::new(self.n * o.n, self.d * o.d)
    }
}

#[device]
impl Div for Rational {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        self * Self::new(o.d, o.n)
    }
}

#[device]
impl Rem for Rational {
    type Output = Self;
    fn rem(self, o: Self) -> Self {
        self - o * Self::new((self / o).floor(), 1)
    }
}

#[device]
impl Neg for Rational {
    type Output = Self;
    fn neg(self) -> Self {
        Self { n: -self.n, ..self }
    }
}

#[device]
impl DivAssign for Rational {
    fn div_assign(&mut self, o: Self) {
        *self = *self / o;
    }
}

#[device]
impl From<i32> for Rational {
    fn from(n: i32) -> Self {
        Self::new(n as i64, Self::ONE.d)
    }
}

#[device]
fn complex(x: f32) -> f32 {
    let mut z = Complex::new(x, 2.0).powi(3) + Complex::I * 0.5;
    z += Complex::default() - Complex::from(x);
    let same = z == z.conj().conj();
    (z / Complex::new(2.0, 0.0)).re + z.norm_sqr() + if same { 1.0 } else { 0.0 }
}

#[device]
fn vector(x: f32) -> f32 {
    let v = Vec3::new(x, 1.0, -2.0);
    let n = Vec3::new(0.0, 1.0, 0.0);
    let r = v.reflect(n) + v.cross(n) * 2.0;
    let whole = Vec3::new(1, 2, 3).dot(Vec3::new(4, 5, 6));
    r[0] + r[1] * 4.0 + r[2] * 16.0 + whole as f32
}

#[device]
fn matrices(x: i32) -> i32 {
    let m = Matrix2::of([[x, 1], [2, -3]]);
    let c = (m + !m).pow(2) * Column(1, x);
    c.0.wrapping_add((c * m).1).wrapping_add(m.pow(3).trace())
}

#[device]
fn fixed(x: i32) -> i32 {
    match Fixed::try_from(x) {
        Ok(f) => {
            let third = f / Fixed::from(3) * (Fixed::ONE << 1);
            third.clamp_to(Fixed::from(-20), Fixed::from(20)).round()
        }
        Err(x) => x,
    }
}

#[device]
fn rational(x: i32) -> i64 {
    let mut r = Rational::from(x) / Rational::new(6, -4) + Rational::from(1).recip();
    r /= Rational::new(2, 3);
    let rest = r % Rational::new(5, 7) - r.recip();
    rest.n * 1000 + rest.d + r.floor()
}

#[kernel]
pub fn types_of_floats(x: &[f32], y: &mut [f32], z: &mut [f32]) {
    let i = global_id(0);
    (y[i], z[i]) = (complex(x[i]), vector(x[i]));
}

#[kernel]
pub fn types_of_integers(x: &[i32], y: &mut [i32], z: &mut [i32], r: &mut [i64]) {
    let i = global_id(0);
    (y[i], z[i], r[i]) = (matrices(x[i]), fixed(x[i]), rational(x[i]));
}

pub fn cases() -> Vec<Case> {
    let (x, n) = ([0.0f32, 1.0, -3.0, 2.5], [0, 1, -7, 12, 100, 2000]);
    vec![
        Case::of(&TYPES_OF_FLOATS)
            .input(&x)
            .output(&map(&x, complex))
            .output(&map(&x, vector))
            .items([x.len()]),
        Case::of(&TYPES_OF_INTEGERS)
            .input(&n)
            .output(&map(&n, matrices))
            .output(&map(&n, fixed))
            .output(&map(&n, rational))
            .items([n.len()]),
    ]
}
