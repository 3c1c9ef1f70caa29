//! A fast Fourier transform, generic over the number.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt::Debug;
    use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

    pub trait Float:
        Copy
        + Debug
        + PartialOrd
        + Default
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + AddAssign
        + From<u8>
    {
        const ONE: Self;
        const ZERO: Self;
        const TAU: Self;
        fn from_usize(n: usize) -> Self;
        fn series(self) -> (Self, Self) {
            // sine and cosine by Taylor, which is the same everywhere
            let x2 = self * self;
            let mut sin = self;
            let mut cos = Self::ONE;
            let (mut st, mut ct) = (self, Self::ONE);
            for k in 1..12usize {
                ct = -ct * x2 / Self::from_usize((2 * k - 1) * (2 * k));
                st = -st * x2 / Self::from_usize((2 * k) * (2 * k + 1));
                cos += ct;
                sin += st;
            }
            (sin, cos)
        }
        fn to_u32(self) -> u32;
    }

    macro_rules! float {
        ($($t:ident),*) => {
            $(impl Float for $t {
                const ONE: Self = 1.0;
                const ZERO: Self = 0.0;
                const TAU: Self = core::$t::consts::TAU;
                fn from_usize(n: usize) -> Self { n as $t }
                fn to_u32(self) -> u32 { let b = self.to_bits() as u64; (b ^ b >> 32) as u32 }
            })*
        };
    }
    float!(f32, f64);

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct Complex<T> {
        pub re: T,
        pub im: T,
    }

    impl<T: Float> Complex<T> {
        pub const fn new(re: T, im: T) -> Self {
            Self { re, im }
        }
        pub fn cis(angle: T) -> Self {
            let (im, re) = angle.series();
            Self { re, im }
        }
        pub fn conj(&self) -> Self {
            Self { im: -self.im, ..*self }
        }
        pub fn norm_sqr(&self) -> T {
            self.re * self.re + self.im * self.im
        }
    }

    impl<T> From<T> for Complex<T>
    where
        T: Float,
    {
        fn from(re: T) -> Self {
            Complex::new(re, T::ZERO)
        }
    }

    impl<T: Float> Add for Complex<T> {
        type Output = Complex<T>;
        fn add(self, rhs: Complex<T>) -> Self::Output {
            Complex::new(self.re + rhs.re, self.im + rhs.im)
        }
    }
    impl<T: Float> Sub for Complex<T> {
        type Output = Complex<T>;
        fn sub(self, rhs: Complex<T>) -> Self::Output {
            Complex::new(self.re - rhs.re, self.im - rhs.im)
        }
    }
    impl<T: Float> Mul for Complex<T> {
        type Output = Complex<T>;
        fn mul(self, Complex { re, im }: Complex<T>) -> Self::Output {
            Complex::new(self.re * re - self.im * im, self.re * im + self.im * re)
        }
    }
    impl<'a, T: Float> Mul<&'a Complex<T>> for &Complex<T> {
        type Output = Complex<T>;
        fn mul(self, rhs: &'a Complex<T>) -> Complex<T> {
            *self * *rhs
        }
    }
    impl<T: Float> MulAssign<T> for Complex<T> {
        fn mul_assign(&mut self, k: T) {
            self.re = self.re * k;
            self.im = self.im * k;
        }
    }
    impl<T: Float> core::iter::Sum for Complex<T> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::default(), |a, b| a + b)
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Direction {
        Forward,
        Inverse,
    }

    pub struct Fft<T, const N: usize> {
        twiddles: [Complex<T>; N],
        direction: Direction,
    }

    impl<T: Float, const N: usize> Fft<T, N> {
        const LOG: u32 = N.trailing_zeros();

        pub fn new(direction: Direction) -> Self {
            assert!(N.is_power_of_two());
            let step = T::TAU / T::from_usize(N);
            let sign = match direction {
                Direction::Forward => -T::ONE,
                Direction::Inverse => T::ONE,
            };
            let twiddles = core::array::from_fn(|k| {
                let half = k % (N / 2);
                let w = Complex::cis(sign * step * T::from_usize(half));
                if k == half { w } else { Complex::<T>::default() - w }
            });
            Self { twiddles, direction }
        }

        pub fn process(&self, data: &mut [Complex<T>; N]) {
            for i in 0..N {
                let j = i.reverse_bits() >> (usize::BITS - Self::LOG);
                if i < j {
                    data.swap(i, j);
                }
            }
            let mut size = 2;
            while size <= N {
                let stride = N / size;
                for block in data.chunks_exact_mut(size) {
                    let (low, high) = block.split_at_mut(size / 2);
                    for ((a, b), w) in low.iter_mut().zip(high).zip(self.twiddles.iter().step_by(stride)) {
                        let t = &*b * w;
                        *b = *a - t;
                        *a = *a + t;
                    }
                }
                size <<= 1;
            }
            if self.direction == Direction::Inverse {
                let scale = T::ONE / T::from_usize(N);
                data.iter_mut().for_each(|z| *z *= scale);
            }
        }
    }

    fn transform<T: Float>(seed: u32) -> (Complex<T>, T, usize, bool) {
        let mut state = seed | 1;
        let signal: [Complex<T>; 16] = core::array::from_fn(|_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            Complex::from(T::from((state >> 24) as u8))
        });
        let mut data = signal;
        Fft::<T, 16>::new(Direction::Forward).process(&mut data);
        let peak = data
            .iter()
            .enumerate()
            .skip(1)
            .max_by(|a, b| a.1.norm_sqr().partial_cmp(&b.1.norm_sqr()).unwrap())
            .map_or(0, |(i, _)| i);
        let power = data.iter().map(Complex::norm_sqr).fold(T::ZERO, |a, b| a + b);
        let sum: Complex<T> = data.iter().copied().map(|z| z.conj()).sum();
        Fft::<T, 16>::new(Direction::Inverse).process(&mut data);
        let close = data.iter().zip(&signal).all(|(a, b)| (*a - *b).norm_sqr() < T::ONE / T::from(100));
        (sum, power, peak, close)
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let (sum, power, peak, close) = transform::<f32>(seed);
        let wide = transform::<f64>(seed);
        [
            sum.re.to_u32(),
            sum.im.to_u32(),
            power.to_u32(),
            peak as u32 * 2 + close as u32,
            wide.0.re.to_u32(),
            wide.0.im.to_u32(),
            wide.1.to_u32(),
            (wide.2 as u32) << 1 | u32::from(wide.3),
        ]
    }
}

#[kernel]
pub fn transformed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&TRANSFORMED, program::run)
}
