//! Rational numbers over any integers, in the style of `num-rational`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod rational {
    use core::cmp::Ordering;
    use core::iter::Sum;
    use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Ratio<T> {
        numer: T,
        denom: T,
    }

    pub trait Integer:
        Copy
        + Ord
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + core::ops::Rem<Output = Self>
        + Neg<Output = Self>
    {
        const ZERO: Self;
        const ONE: Self;
    }

    macro_rules! impl_integer {
        ($($t:ty)*) => {$(
            impl Integer for $t {
                const ZERO: Self = 0;
                const ONE: Self = 1;
            }
        )*};
    }

    impl_integer!(i32 i64);

    fn gcd<T: Integer>(mut a: T, mut b: T) -> T {
        while b != T::ZERO {
            (a, b) = (b, a % b);
        }
        if a < T::ZERO { -a } else { a }
    }

    impl<T: Integer> Ratio<T> {
        pub fn new(numer: T, denom: T) -> Self {
            if denom == T::ZERO {
                panic!("denominator == 0");
            }
            let mut ret = Ratio { numer, denom };
            ret.reduce();
            ret
        }

        fn reduce(&mut self) {
            let g = gcd(self.numer, self.denom);
            self.numer = self.numer / g;
            self.denom = self.denom / g;
            if self.denom < T::ZERO {
                self.numer = T::ZERO - self.numer;
                self.denom = T::ZERO - self.denom;
            }
        }

        pub fn numer(&self) -> &T {
            &self.numer
        }

        pub fn denom(&self) -> &T {
            &self.denom
        }

        pub fn recip(self) -> Option<Self> {
            (self.numer != T::ZERO).then(|| Ratio::new(self.denom, self.numer))
        }

        pub fn trunc(&self) -> T {
            self.numer / self.denom
        }

        pub fn pow(self, n: u32) -> Self {
            core::iter::repeat(self).take(n as usize).fold(T::ONE.into(), |a, b| a * b)
        }
    }

    impl<T: Integer> From<T> for Ratio<T> {
        fn from(x: T) -> Self {
            Ratio { numer: x, denom: T::ONE }
        }
    }

    impl<T: Integer> From<(T, T)> for Ratio<T> {
        fn from((n, d): (T, T)) -> Self {
            Ratio::new(n, d)
        }
    }

    macro_rules! arith {
        ($imp:ident, $method:ident, |$a:ident, $b:ident| $numer:expr, $denom:expr) => {
            impl<T: Integer> $imp for Ratio<T> {
                type Output = Ratio<T>;
                fn $method(self, rhs: Ratio<T>) -> Ratio<T> {
                    let ($a, $b) = (self, rhs);
                    Ratio::new($numer, $denom)
                }
            }
            impl<'a, T: Integer> $imp<&'a Ratio<T>> for Ratio<T> {
                type Output = Ratio<T>;
                fn $method(self, rhs: &'a Ratio<T>) -> Ratio<T> {
                    self.$method(*rhs)
                }
            }
        };
    }

    arith!(Add, add, |a, b| a.numer * b.denom + b.numer * a.denom, a.denom * b.denom);
    arith!(Sub, sub, |a, b| a.numer * b.denom - b.numer * a.denom, a.denom * b.denom);
    arith!(Mul, mul, |a, b| a.numer * b.numer, a.denom * b.denom);
    arith!(Div, div, |a, b| a.numer * b.denom, a.denom * b.numer);

    impl<T: Integer> AddAssign for Ratio<T> {
        fn add_assign(&mut self, other: Self) {
            *self = *self + other;
        }
    }

    impl<T: Integer> Ord for Ratio<T> {
        fn cmp(&self, other: &Self) -> Ordering {
            (self.numer * other.denom).cmp(&(other.numer * self.denom))
        }
    }

    impl<T: Integer> PartialOrd for Ratio<T> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl<T: Integer> Sum for Ratio<T> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::from(T::ZERO), |sum, num| sum + num)
        }
    }

    impl<T: Integer> Default for Ratio<T> {
        fn default() -> Self {
            T::ZERO.into()
        }
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use rational::Ratio;
    type Rational = Ratio<i64>;
    let a = Rational::new((seed & 0xff) as i64 - 128, (seed >> 8 & 0xf) as i64 + 1);
    let b: Rational = ((seed >> 12 & 0x3f) as i64 + 1, -7).into();
    let harmonic: Rational = (1..=(seed % 9) as i64).map(|n| Ratio::new(1, n)).sum();
    let mut c = a * &b - harmonic / Ratio::from(3);
    c += b.recip().unwrap_or_default();
    let d = Ratio::<i32>::new(3, 4).pow(3);
    let m = [a, b, c].into_iter().max().unwrap();
    let order = a.cmp(&b) as i8 as u32;
    (*c.numer() as u32)
        ^ (*c.denom() as u32) << 7
        ^ m.trunc() as u32
        ^ order << 28
        ^ (*d.numer() * *d.denom()) as u32
}

#[kernel]
pub fn rational(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&RATIONAL, |i| program(seed(i)))
}
