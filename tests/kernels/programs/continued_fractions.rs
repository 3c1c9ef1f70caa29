//! Continued fractions over rationals generic in their integer, as `num-rational` has it.

use crate::kernels::case::Case;
use crate::kernels::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod continued_fractions {
    use core::cmp::Ordering;
    use core::fmt::Debug;
    use core::iter::{Sum, successors};
    use core::ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub};

    pub trait Integer:
        Copy
        + Ord
        + Debug
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Rem<Output = Self>
        + Neg<Output = Self>
    {
        const ZERO: Self;
        const ONE: Self;
        fn abs(self) -> Self {
            if self < Self::ZERO { -self } else { self }
        }
        fn div_floor(self, other: Self) -> Self {
            let (q, r) = (self / other, self % other);
            if r != Self::ZERO && ((r < Self::ZERO) != (other < Self::ZERO)) { q - Self::ONE } else { q }
        }
    }

    macro_rules! integer {
        ($($t:ty)*) => { $(impl Integer for $t { const ZERO: $t = 0; const ONE: $t = 1; })* };
    }
    integer!(i16 i32 i64);

    #[derive(Clone, Copy, Debug)]
    pub struct Ratio<T> {
        numer: T,
        denom: T,
    }

    fn gcd<T: Integer>(a: T, b: T) -> T {
        let (mut a, mut b) = (a.abs(), b.abs());
        while b != T::ZERO {
            (a, b) = (b, a % b);
        }
        a
    }

    impl<T: Integer> Ratio<T> {
        pub fn new(numer: T, denom: T) -> Self {
            assert!(denom != T::ZERO, "denominator == 0");
            let g = gcd(numer, denom);
            let g = if denom < T::ZERO { -g } else { g };
            Ratio { numer: numer / g, denom: denom / g }
        }

        pub fn floor(&self) -> T {
            self.numer.div_floor(self.denom)
        }

        pub fn recip(self) -> Option<Self> {
            (self.numer != T::ZERO).then(|| Ratio::new(self.denom, self.numer))
        }

        /// The terms of the continued fraction.
        pub fn terms(self) -> impl Iterator<Item = T> {
            successors(Some(self), |x| (*x - Ratio::from(x.floor())).recip()).map(|x| x.floor())
        }
    }

    impl<T: Integer> From<T> for Ratio<T> {
        fn from(n: T) -> Self {
            Ratio { numer: n, denom: T::ONE }
        }
    }

    impl<T: Integer> From<(T, T)> for Ratio<T> {
        fn from((n, d): (T, T)) -> Self {
            Self::new(n, d)
        }
    }

    impl<T: Integer> Add for Ratio<T> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Ratio::new(self.numer * o.denom + o.numer * self.denom, self.denom * o.denom)
        }
    }

    impl<T: Integer> Neg for Ratio<T> {
        type Output = Self;
        fn neg(self) -> Self {
            Ratio { numer: -self.numer, ..self }
        }
    }

    impl<T: Integer> Sub for Ratio<T> {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            self + -o
        }
    }

    impl<T: Integer> AddAssign for Ratio<T> {
        fn add_assign(&mut self, o: Self) {
            *self = *self + o;
        }
    }

    impl<T: Integer> PartialEq for Ratio<T> {
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other) == Ordering::Equal
        }
    }

    impl<T: Integer> Eq for Ratio<T> {}

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
            iter.fold(Ratio::from(T::ZERO), |a, b| a + b)
        }
    }

    impl<'a, T: Integer + 'a> Sum<&'a Ratio<T>> for Ratio<T> {
        fn sum<I: Iterator<Item = &'a Ratio<T>>>(iter: I) -> Self {
            iter.copied().sum()
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let n = (seed % 1000) as i64 + 7;
        let x = Ratio::new(n * 3, 140);
        let mut out = [0_u32; 8];
        for (slot, term) in out.iter_mut().zip(x.terms().take(5)) {
            *slot = term as u32;
        }
        let parts: [Ratio<i64>; 4] = [(1, 2).into(), (-1, 3).into(), (n, 12).into(), Ratio::from(2)];
        let total: Ratio<i64> = parts.iter().sum();
        out[5] = (total.numer * 1000 + total.denom) as u32;
        let least = parts.iter().min().unwrap();
        let greatest = parts.into_iter().max().map_or(0, |r| r.floor());
        out[6] = least.numer as u32 ^ (greatest as u32) << 8;
        let mut small = Ratio::<i32>::new(5, -10);
        small += Ratio::new(1, 3);
        out[7] = (small.numer * 100 + small.denom) as u32 + u32::from(small < Ratio::from(0)) * 7;
        out
    }
}

#[kernel]
pub fn fractions(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = continued_fractions::run(seeds[i]);
}

pub fn case() -> Case {
    let seeds: Vec<u32> = (0..24_u32).map(|i| i * i * 7919 + i).collect();
    let y = map(&seeds, continued_fractions::run);
    Case::of(&FRACTIONS).input(&seeds).output(&y).items([y.len()])
}
