//! Complex numbers, an FFT of fixed size and the Mandelbrot set.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Complex numbers, an FFT of fixed size and the Mandelbrot set.
    use core::ops::{Add, Mul, MulAssign, Neg, Sub};

    pub trait Float:
        Copy
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Neg<Output = Self>
        + PartialOrd
        + From<f32>
    {
        fn zero() -> Self {
            0.0.into()
        }
        fn hypot2(a: Self, b: Self) -> Self {
            a * a + b * b
        }
    }

    impl Float for f32 {}
    impl Float for f64 {}

    #[derive(Copy, Clone, Debug, PartialEq, Default)]
    pub struct Complex<T = f32> {
        pub re: T,
        pub im: T,
    }

    #[allow(non_camel_case_types, reason = "C has it by this name")]
    pub type c32 = Complex<f32>;
    pub type Complex64 = Complex<f64>;

    impl<T> Complex<T> {
        pub const fn new(re: T, im: T) -> Complex<T> {
            Complex { re, im }
        }
    }

    impl<T: Float> Complex<T> {
        pub fn conj(self) -> Self {
            Self { im: -self.im, ..self }
        }
        pub fn norm_sqr(&self) -> T {
            T::hypot2(self.re, self.im)
        }
        pub fn i() -> Self {
            Self::new(T::zero(), T::from(1.0))
        }
    }

    impl<T: Float> From<T> for Complex<T> {
        fn from(re: T) -> Self {
            Self::new(re, T::zero())
        }
    }

    impl<T: Float> Add for Complex<T> {
        type Output = Complex<T>;
        fn add(self, rhs: Self) -> Self::Output {
            Complex::new(self.re + rhs.re, self.im + rhs.im)
        }
    }
    impl<T: Float> Sub for Complex<T> {
        type Output = Complex<T>;
        fn sub(self, rhs: Self) -> Self::Output {
            Complex::new(self.re - rhs.re, self.im - rhs.im)
        }
    }
    impl<T: Float> Mul for Complex<T> {
        type Output = Complex<T>;
        fn mul(self, rhs: Self) -> Self::Output {
            Complex::new(self.re * rhs.re - self.im * rhs.im, self.re * rhs.im + self.im * rhs.re)
        }
    }
    impl<T: Float> Mul<T> for Complex<T> {
        type Output = Complex<T>;
        fn mul(self, rhs: T) -> Self::Output {
            Complex::new(self.re * rhs, self.im * rhs)
        }
    }
    impl<T> MulAssign for Complex<T>
    where
        Complex<T>: Mul<Output = Complex<T>> + Copy,
    {
        fn mul_assign(&mut self, rhs: Self) {
            *self = *self * rhs;
        }
    }
    impl core::iter::Product for c32 {
        fn product<I: Iterator<Item = c32>>(iter: I) -> c32 {
            iter.fold(c32::from(1.0), |a, b| a * b)
        }
    }

    const ROOTS: [c32; 4] = [
        c32::new(1.0, 0.0),
        c32::new(core::f32::consts::FRAC_1_SQRT_2, -core::f32::consts::FRAC_1_SQRT_2),
        c32::new(0.0, -1.0),
        c32::new(-core::f32::consts::FRAC_1_SQRT_2, -core::f32::consts::FRAC_1_SQRT_2),
    ];

    pub fn fft8(x: &mut [c32; 8]) {
        for i in 0..8usize {
            let j = (i as u8).reverse_bits() as usize >> 5;
            if i < j {
                x.swap(i, j);
            }
        }
        let mut len = 2;
        while len <= 8 {
            for block in x.chunks_exact_mut(len) {
                let (lo, hi) = block.split_at_mut(len / 2);
                for (k, (a, b)) in lo.iter_mut().zip(hi).enumerate() {
                    let t = *b * ROOTS[k * (8 / len)];
                    (*a, *b) = (*a + t, *a - t);
                }
            }
            len <<= 1;
        }
    }

    /// Iterates of z² + c.
    struct Orbit {
        z: Complex64,
        c: Complex64,
    }

    impl Iterator for Orbit {
        type Item = Complex64;
        fn next(&mut self) -> Option<Complex64> {
            let z = self.z;
            self.z = z * z + self.c;
            Some(z)
        }
    }

    fn escape_time(c: Complex64, limit: usize) -> usize {
        Orbit { z: Complex64::default(), c }.take(limit).take_while(|z| z.norm_sqr() <= 4.0).count()
    }

    pub fn check(seed: u32) -> u32 {
        let mut signal = [c32::default(); 8];
        for (i, s) in signal.iter_mut().enumerate() {
            *s = Complex::new((seed as usize * i % 5) as f32, i as f32).conj();
        }
        fft8(&mut signal);
        let power: f32 = signal.iter().map(Complex::norm_sqr).sum();
        let product: c32 = signal[..3].iter().copied().product();
        let mut z = Complex::i() * 2.0;
        z *= product;
        let escape = escape_time(Complex::new(-0.75, seed as f64 * 0.01), 200);
        (power + z.re).to_bits() ^ escape as u32
    }
}

#[kernel]
pub fn complex(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&COMPLEX, program::check)
}
