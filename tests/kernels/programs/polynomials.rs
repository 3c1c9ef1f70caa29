//! Polynomials over any numbers, in the style of `num-traits`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod num {
    use core::ops::*;

    pub trait Zero: Sized + Add<Self, Output = Self> {
        fn zero() -> Self;
        fn is_zero(&self) -> bool;
    }

    pub trait One: Sized + Mul<Self, Output = Self> {
        fn one() -> Self;
    }

    pub trait Num: PartialEq + Zero + One + Sub<Output = Self> + Div<Output = Self> {}
    impl<T> Num for T where T: PartialEq + Zero + One + Sub<Output = T> + Div<Output = T> {}

    macro_rules! zero_one {
        ($($t:ty, $z:expr, $o:expr;)+) => {$(
            impl Zero for $t {
                fn zero() -> $t { $z }
                fn is_zero(&self) -> bool { *self == $z }
            }
            impl One for $t {
                fn one() -> $t { $o }
            }
        )+};
    }
    zero_one! {
        i32, 0, 1;
        f32, 0.0, 1.0;
    }

    pub fn pow<T: Clone + One>(mut base: T, mut exp: usize) -> T {
        if exp == 0 {
            return T::one();
        }
        while exp & 1 == 0 {
            base = base.clone() * base;
            exp >>= 1;
        }
        let mut acc = base.clone();
        while exp > 1 {
            exp >>= 1;
            base = base.clone() * base;
            if exp & 1 == 1 {
                acc = acc * base.clone();
            }
        }
        acc
    }
}

#[device]
mod poly {
    use super::num::{self, Num, One, Zero};
    use core::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Poly<T, const N: usize> {
        coeffs: [T; N],
    }

    impl<T: Num + Copy, const N: usize> Poly<T, N> {
        pub fn new(from: &[T]) -> Self {
            let mut coeffs = [T::zero(); N];
            coeffs[..from.len()].copy_from_slice(from);
            Poly { coeffs }
        }

        pub fn degree(&self) -> Option<usize> {
            self.coeffs.iter().rposition(|c| !c.is_zero())
        }

        pub fn eval(&self, x: T) -> T {
            self.coeffs.iter().rev().fold(T::zero(), |acc, &c| acc * x + c)
        }

        pub fn derivative(&self) -> Self {
            let mut n = T::zero();
            let mut out = Self::zero();
            for (o, &c) in out.coeffs.iter_mut().zip(&self.coeffs[1..]) {
                n = n + T::one();
                *o = c * n;
            }
            out
        }

        pub fn div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
            let d = divisor.degree()?;
            let lead = divisor.coeffs[d];
            let mut quotient = Self::zero();
            let mut remainder = *self;
            while let Some(n) = remainder.degree().filter(|&n| n >= d) {
                let factor = remainder.coeffs[n] / lead;
                if factor.is_zero() {
                    break;
                }
                let shift = n - d;
                quotient.coeffs[shift] = quotient.coeffs[shift] + factor;
                for i in 0..=d {
                    remainder.coeffs[i + shift] = remainder.coeffs[i + shift] - factor * divisor.coeffs[i];
                }
                remainder.coeffs[n] = T::zero();
            }
            Some((quotient, remainder))
        }
    }

    impl<T: Num + Copy, const N: usize> Zero for Poly<T, N> {
        fn zero() -> Self {
            Poly { coeffs: [T::zero(); N] }
        }
        fn is_zero(&self) -> bool {
            self.degree().is_none()
        }
    }

    impl<T: Num + Copy, const N: usize> One for Poly<T, N> {
        fn one() -> Self {
            Self::new(&[T::one()])
        }
    }

    impl<T: Num + Copy, const N: usize> Add for Poly<T, N> {
        type Output = Self;
        fn add(mut self, rhs: Self) -> Self {
            for (a, b) in self.coeffs.iter_mut().zip(rhs.coeffs) {
                *a = *a + b;
            }
            self
        }
    }

    impl<T: Num + Copy, const N: usize> Mul for Poly<T, N> {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self {
            let mut out = Self::zero();
            for (i, &a) in self.coeffs.iter().enumerate() {
                for (slot, &b) in out.coeffs[i..].iter_mut().zip(rhs.coeffs.iter()) {
                    *slot = *slot + a * b;
                }
            }
            out
        }
    }

    impl<T: Num + Copy + Neg<Output = T>, const N: usize> Neg for Poly<T, N> {
        type Output = Self;
        fn neg(self) -> Self {
            Poly { coeffs: self.coeffs.map(Neg::neg) }
        }
    }

    impl<T: Num + Copy + Neg<Output = T>, const N: usize> Sub for Poly<T, N> {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            self + -rhs
        }
    }

    pub fn cube<T: Num + Copy, const N: usize>(p: Poly<T, N>) -> Poly<T, N> {
        num::pow(p, 3)
    }

    pub fn newton<const N: usize>(p: &Poly<f32, N>, guess: f32) -> Option<f32> {
        let dp = p.derivative();
        let mut x = guess;
        for _ in 0..20 {
            let slope = dp.eval(x);
            if slope.abs() < 1e-6 {
                return None;
            }
            let step = p.eval(x) / slope;
            x -= step;
            if step.abs() <= f32::EPSILON * x.abs() {
                return Some(x);
            }
        }
        None
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use num::One;
    use poly::Poly;
    let a = (seed & 15) as i32 - 8;
    let b = (seed >> 4 & 15) as i32 - 8;
    let p = Poly::<i32, 8>::new(&[a, b, 1]);
    let q = poly::cube(p) - Poly::new(&[1, 2]) * p + Poly::one();
    let (d, r) = q.div_rem(&Poly::new(&[b, a, 1])).unwrap();
    let f = Poly::<f32, 5>::new(&[-2.0 - (seed & 7) as f32, a as f32 * 0.25, 1.0, 0.5]);
    let root = poly::newton(&f, 1.5).map_or(0, f32::to_bits);
    (q.eval(2) as u32)
        ^ (d.eval(3) as u32) << 8
        ^ (r.eval(-1) as u32) << 16
        ^ root
        ^ q.degree().unwrap_or(99) as u32
}

#[kernel]
pub fn polynomials(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&POLYNOMIALS, |i| program(seed(i)))
}
