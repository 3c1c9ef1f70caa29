//! Number theory over a trait of integers, in the manner of `num-integer` and `num-prime`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt::Debug;
    use core::ops::{Add, Div, Mul, Rem, Shr, Sub};

    pub trait Zero: Sized + Add<Self, Output = Self> {
        fn zero() -> Self;
        fn is_zero(&self) -> bool;
    }

    pub trait One: Sized + Mul<Self, Output = Self> {
        fn one() -> Self;
    }

    pub trait Bounded {
        const MIN: Self;
        const MAX: Self;
    }

    pub trait Integer:
        Copy
        + Debug
        + Ord
        + Zero
        + One
        + Bounded
        + Sub<Output = Self>
        + Div<Output = Self>
        + Rem<Output = Self>
        + Shr<u32, Output = Self>
    {
        type Wide: Integer + From<Self>;

        fn narrow(wide: Self::Wide) -> Self;

        fn trailing_zeros(self) -> u32;

        fn is_even(&self) -> bool {
            (*self % (Self::one() + Self::one())).is_zero()
        }

        fn gcd(&self, other: &Self) -> Self {
            let (mut a, mut b) = (*self, *other);
            while !b.is_zero() {
                (a, b) = (b, a % b);
            }
            a
        }

        fn lcm(&self, other: &Self) -> Option<Self> {
            if self.is_zero() || other.is_zero() {
                return Some(Self::zero());
            }
            let gcd = self.gcd(other);
            let lcm = Self::Wide::from(*self / gcd) * Self::Wide::from(*other);
            (lcm <= Self::Wide::from(Self::MAX)).then(|| Self::narrow(lcm))
        }

        fn mul_mod(self, other: Self, modulus: Self) -> Self {
            Self::narrow(Self::Wide::from(self) * Self::Wide::from(other) % Self::Wide::from(modulus))
        }

        fn pow_mod(self, mut exponent: Self, modulus: Self) -> Self {
            let mut base = self % modulus;
            let mut result = Self::one() % modulus;
            while !exponent.is_zero() {
                if !exponent.is_even() {
                    result = result.mul_mod(base, modulus);
                }
                base = base.mul_mod(base, modulus);
                exponent = exponent >> 1;
            }
            result
        }
    }

    macro_rules! implement {
        ($($ty:ty => $wide:ty),* $(,)?) => {$(
            impl Zero for $ty {
                #[inline]
                fn zero() -> Self { 0 }
                #[inline]
                fn is_zero(&self) -> bool { *self == 0 }
            }
            impl One for $ty {
                #[inline]
                fn one() -> Self { 1 }
            }
            impl Bounded for $ty {
                const MIN: Self = <$ty>::MIN;
                const MAX: Self = <$ty>::MAX;
            }
            impl Integer for $ty {
                type Wide = $wide;
                fn narrow(wide: $wide) -> Self { wide as Self }
                fn trailing_zeros(self) -> u32 { <$ty>::trailing_zeros(self) }
            }
        )*};
    }

    implement! {
        u8 => u16,
        u16 => u32,
        u32 => u64,
        u64 => u64,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Primality {
        Prime,
        Composite { witness: u32 },
        Unit,
    }

    impl Primality {
        pub fn is_prime(self) -> bool {
            matches!(self, Self::Prime)
        }
    }

    /// Miller and Rabin's test, by witnesses that are enough for 32 bits.
    pub fn primality(n: u32) -> Primality {
        const WITNESSES: &[u32] = &[2, 7, 61];
        if n < 2 {
            return Primality::Unit;
        }
        if let Some(&witness) = WITNESSES.iter().find(|&&p| n % p == 0) {
            return if n == witness { Primality::Prime } else { Primality::Composite { witness } };
        }
        let s = Integer::trailing_zeros(n - 1);
        let d = (n - 1) >> s;
        'witness: for &witness in WITNESSES {
            let mut x = witness.pow_mod(d, n);
            if x == 1 || x == n - 1 {
                continue;
            }
            for _ in 1..s {
                x = x.mul_mod(x, n);
                if x == n - 1 {
                    continue 'witness;
                }
            }
            return Primality::Composite { witness };
        }
        Primality::Prime
    }

    /// The prime factors of a number, the least first.
    #[derive(Clone, Debug)]
    pub struct Factors<T> {
        rest: T,
        next: T,
    }

    pub fn factors<T: Integer>(n: T) -> Factors<T> {
        Factors { rest: n, next: T::one() + T::one() }
    }

    impl<T: Integer> Iterator for Factors<T> {
        type Item = (T, u32);

        fn next(&mut self) -> Option<Self::Item> {
            if self.rest <= T::one() {
                return None;
            }
            while self.next * self.next <= self.rest {
                let mut power = 0;
                while (self.rest % self.next).is_zero() {
                    self.rest = self.rest / self.next;
                    power += 1;
                }
                let factor = self.next;
                self.next = self.next + T::one();
                if power > 0 {
                    return Some((factor, power));
                }
            }
            let last = core::mem::replace(&mut self.rest, T::one());
            (last > T::one()).then_some((last, 1))
        }
    }

    pub fn totient<T>(n: T) -> T
    where
        T: Integer,
    {
        factors(n).fold(n, |phi, (p, _)| phi / p * (p - T::one()))
    }

    /// Solves congruences one after the other.
    pub fn chinese<'a, I>(congruences: I) -> Option<(u64, u64)>
    where
        I: IntoIterator<Item = &'a (u64, u64)>,
    {
        congruences.into_iter().try_fold((0u64, 1u64), |(r, m), &(r2, m2)| {
            let found = (0..m2).map(|k| r + k * m).find(|x| x % m2 == r2 % m2)?;
            Some((found, m.lcm(&m2)?))
        })
    }

    pub fn run(i: u32) -> u64 {
        let n = i * 37 + 1;
        let prime = match primality(n) {
            Primality::Prime => 1,
            Primality::Composite { witness } => 100 + u64::from(witness),
            Primality::Unit => 5,
        };
        let trace = factors(n).fold(0u64, |h, (p, e)| h * 1000 + u64::from(p) * 10 + u64::from(e));
        let phi = totient(n as u16) as u64 + totient(n as u64 * 3);
        let gcd = (i as u8).gcd(&84) as u64;
        let lcm = (i as u8).lcm(&12).map_or(999, u64::from);
        let power = 3u32.pow_mod(i + 1000, 1_000_007);
        let solved = chinese(&[(i as u64 % 3, 3), (2, 5), (i as u64 % 4, 7)]).unwrap_or((0, 0));
        let count = (n..n + 30).filter(|&k| primality(k).is_prime()).count() as u64;
        prime
            ^ trace << 3
            ^ phi << 9
            ^ gcd << 20
            ^ lcm << 30
            ^ (power as u64) << 40
            ^ solved.0 * 7
            ^ solved.1 << 11
            ^ count << 55
    }
}

#[kernel]
pub fn number_theory(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&NUMBER_THEORY, program::run)
}
