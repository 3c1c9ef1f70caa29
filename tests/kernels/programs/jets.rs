//! Automatic differentiation by dual numbers of dual numbers.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

    pub trait Num:
        Copy
        + PartialEq
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + From<f32>
    {
        const ZERO: Self;
        const ONE: Self;
        fn sqrt(self) -> Self;
        fn powi(self, n: u32) -> Self {
            (0..n).fold(Self::ONE, |acc, _| acc * self)
        }
        fn value(&self) -> f32;
    }

    impl Num for f32 {
        const ZERO: f32 = 0.0;
        const ONE: f32 = 1.0;
        fn sqrt(self) -> f32 {
            f32::sqrt(self)
        }
        fn value(&self) -> f32 {
            *self
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Default)]
    pub struct Dual<const N: usize>
    where
        [f32; N]: Default,
    {
        re: f32,
        eps: [f32; N],
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Jet<T, const N: usize> {
        a: T,
        v: [T; N],
    }

    impl<T: Num, const N: usize> Jet<T, N> {
        pub fn variable(a: T, k: usize) -> Self {
            let mut v = [T::ZERO; N];
            v[k] = T::ONE;
            Jet { a, v }
        }

        fn chain(self, a: T, slope: T) -> Self {
            Jet { a, v: self.v.map(|d| d * slope) }
        }

        fn zip_with(self, other: Self, a: T, f: impl Fn(T, T) -> T) -> Self {
            Jet { a, v: core::array::from_fn(|i| f(self.v[i], other.v[i])) }
        }
    }

    impl<T: Num, const N: usize> From<f32> for Jet<T, N> {
        fn from(x: f32) -> Self {
            Jet { a: x.into(), v: [T::ZERO; N] }
        }
    }

    impl<T: Num, const N: usize> Add for Jet<T, N> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            self.zip_with(rhs, self.a + rhs.a, |x, y| x + y)
        }
    }

    impl<T: Num, const N: usize> Sub for Jet<T, N> {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            self.zip_with(rhs, self.a - rhs.a, T::sub)
        }
    }

    impl<T: Num, const N: usize> Mul for Jet<T, N> {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self {
            self.zip_with(rhs, self.a * rhs.a, |x, y| x * rhs.a + self.a * y)
        }
    }

    impl<T: Num, const N: usize> Div for Jet<T, N> {
        type Output = Self;
        fn div(self, rhs: Self) -> Self {
            let q = self.a / rhs.a;
            self.zip_with(rhs, q, |x, y| (x - q * y) / rhs.a)
        }
    }

    impl<T: Num, const N: usize> Neg for Jet<T, N> {
        type Output = Self;
        fn neg(self) -> Self {
            self.chain(-self.a, -T::ONE)
        }
    }

    impl<T: Num, const N: usize> PartialOrd for Jet<T, N> {
        fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
            self.a.partial_cmp(&other.a)
        }
    }

    impl<T: Num, const N: usize> AddAssign for Jet<T, N> {
        fn add_assign(&mut self, rhs: Self) {
            *self = *self + rhs;
        }
    }

    impl<T: Num, const N: usize> Num for Jet<T, N> {
        const ZERO: Self = Jet { a: T::ZERO, v: [T::ZERO; N] };
        const ONE: Self = Jet { a: T::ONE, v: [T::ZERO; N] };
        fn sqrt(self) -> Self {
            let root = self.a.sqrt();
            self.chain(root, T::ONE / (root + root))
        }
        fn value(&self) -> f32 {
            self.a.value()
        }
    }

    fn rosenbrock<T: Num>(x: T, y: T) -> T {
        let one: T = 1.0.into();
        (one - x).powi(2) + T::from(100.0) * (y - x * x).powi(2)
    }

    fn norm<T: Num>(values: &[T]) -> T {
        values.iter().map(|&v| v * v).fold(T::ZERO, |a, b| a + b).sqrt()
    }

    fn newton(f: impl Fn(Jet<f32, 1>) -> Jet<f32, 1>, mut x: f32) -> (f32, u32) {
        for i in 0..20 {
            let Jet { a, v: [slope] } = f(Jet::variable(x, 0));
            let step = a / slope;
            x -= step;
            if step.abs() < 1e-6 {
                return (x, i);
            }
        }
        (x, 20)
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let (x, y) = ((seed % 17) as f32 * 0.25 - 2.0, (seed % 13) as f32 * 0.5);
        let f = rosenbrock(Jet::<f32, 2>::variable(x, 0), Jet::variable(y, 1));
        let second = rosenbrock(Jet::<Jet<f32, 1>, 1>::variable(Jet::variable(x, 0), 0), Jet::from(y));
        let n = norm(&[Jet::<f32, 2>::variable(x + 5.0, 0), Jet::variable(y, 1), Jet::from(2.0)]);
        let (root, steps) = newton(|t| t * t * t - t - Jet::from(2.0 + y), 1.5);
        let mut sum = Jet::<f32, 2>::ZERO;
        sum += f;
        sum += n;
        let d = Dual::<2>::default();
        [
            f.a.to_bits() ^ d.re.to_bits() ^ d.eps[0].to_bits(),
            f.v[0].to_bits(),
            f.v[1].to_bits(),
            second.v[0].v[0].to_bits(),
            n.v[0].to_bits(),
            root.to_bits(),
            steps + (f > n) as u32 * 100,
            sum.value().to_bits(),
        ]
    }
}

#[kernel]
pub fn derivatives(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&DERIVATIVES, program::run)
}
