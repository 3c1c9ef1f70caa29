//! Fixed-point numbers whose fraction bits are a parameter, beside operators that are generic over the right side.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Fixed-point numbers whose fraction bits are a parameter, beside operators that are generic over the right side.
    use core::fmt::Debug;
    use core::num::Wrapping;
    use core::ops::*;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Debug)]
    #[repr(transparent)]
    pub struct Fixed<const FRAC: u32>(i32);

    pub type Q16 = Fixed<16>;
    pub type Q24 = Fixed<24>;

    impl<const FRAC: u32> Fixed<FRAC> {
        pub const ONE: Self = Self(1 << FRAC);
        pub const EPSILON: Self = Self(1);
        pub const MAX: Self = Self(i32::MAX);

        pub const fn from_bits(bits: i32) -> Self {
            Self(bits)
        }

        pub const fn to_bits(self) -> i32 {
            self.0
        }

        pub const fn from_int(n: i32) -> Self {
            Self(n << FRAC)
        }

        pub fn from_ratio(n: i32, d: i32) -> Option<Self> {
            let wide = (i64::from(n) << FRAC).checked_div(d.into())?;
            i32::try_from(wide).ok().map(Self)
        }

        pub fn checked_mul(self, rhs: Self) -> Option<Self> {
            ((self.0 as i64 * rhs.0 as i64) >> FRAC).try_into().map(Self).ok()
        }

        pub fn floor(self) -> Self {
            Self(self.0 & !((1 << FRAC) - 1))
        }

        pub fn frac(self) -> Self {
            Self(self.0 & ((1 << FRAC) - 1))
        }

        pub fn convert<const TO: u32>(self) -> Fixed<TO> {
            Fixed(if TO >= FRAC { self.0.wrapping_shl(TO - FRAC) } else { self.0 >> (FRAC - TO) })
        }

        pub fn sqrt(self) -> Self {
            assert!(self.0 >= 0, "square root of negative {self:?}");
            Self(((self.0 as u64) << FRAC).isqrt() as i32)
        }

        pub fn lerp(a: Self, b: Self, t: Self) -> Self {
            a + (b - a) * t
        }
    }

    impl<const F: u32> Add for Fixed<F> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self(self.0.wrapping_add(o.0))
        }
    }
    impl<const F: u32> Sub for Fixed<F> {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Self(self.0.wrapping_sub(o.0))
        }
    }
    impl<const F: u32> Neg for Fixed<F> {
        type Output = Self;
        fn neg(self) -> Self {
            Self(self.0.wrapping_neg())
        }
    }
    impl<const F: u32> Mul for Fixed<F> {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self((i64::from(self.0) * i64::from(o.0) >> F) as i32)
        }
    }
    impl<const F: u32> Div for Fixed<F> {
        type Output = Self;
        fn div(self, o: Self) -> Self {
            Self(((i64::from(self.0) << F) / i64::from(o.0)) as i32)
        }
    }
    impl<const F: u32> Rem for Fixed<F> {
        type Output = Self;
        fn rem(self, o: Self) -> Self {
            Self(self.0 % o.0)
        }
    }
    impl<const F: u32> Mul<i32> for Fixed<F> {
        type Output = Self;
        fn mul(self, o: i32) -> Self {
            Self(self.0 * o)
        }
    }
    impl<const F: u32, T> AddAssign<T> for Fixed<F>
    where
        Self: Add<T, Output = Self>,
    {
        fn add_assign(&mut self, o: T) {
            *self = *self + o;
        }
    }
    impl<const F: u32, T> MulAssign<T> for Fixed<F>
    where
        Self: Mul<T, Output = Self>,
    {
        fn mul_assign(&mut self, o: T) {
            *self = *self * o;
        }
    }
    impl<const F: u32> Shr<u32> for Fixed<F> {
        type Output = Self;
        fn shr(self, n: u32) -> Self {
            Self(self.0 >> n)
        }
    }

    impl<const F: u32> From<i16> for Fixed<F> {
        fn from(n: i16) -> Self {
            Self::from_int(n.into())
        }
    }
    impl<const F: u32> PartialEq<i32> for Fixed<F> {
        fn eq(&self, other: &i32) -> bool {
            *self == Self::from_int(*other)
        }
    }

    pub fn sin(x: Q16) -> Q16 {
        const TAU: Q16 = Q16::from_bits(411_775);
        const SERIES: [i32; 4] = [65_536, -10_923, 546, -13];
        let mut x = x % TAU;
        if x > TAU >> 1 {
            x = x - TAU;
        }
        let x2 = x * x;
        SERIES.iter().rev().map(|&c| Q16::from_bits(c)).fold(Q16::default(), |acc, c| acc * x2 + c) * x
    }

    fn horner<T, const N: usize>(coefficients: [T; N], x: T) -> T
    where
        T: Copy + Mul<Output = T> + Add<Output = T> + Debug,
    {
        let [first, rest @ ..] = &coefficients[..] else { unreachable!("no coefficients") };
        rest.iter().fold(*first, |acc, &c| acc * x + c)
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let x = Q16::from_bits((seed & 0xf_ffff) as i32);
        let mut y = Q16::from(3) + x.frac();
        y += Q16::EPSILON;
        y *= 2;
        y *= Q16::ONE >> 2;
        let ratio = Q24::from_ratio(seed as i16 as i32, (seed >> 16) as i32 - 7).unwrap_or(Q24::MAX);
        let p = horner([Q16::ONE, -x, y], Q16::from_ratio(1, 3).unwrap());
        let w = horner([Wrapping(seed), Wrapping(3)], Wrapping(0x9e37_79b9));
        let product = x.checked_mul(x).map_or(-1, Q16::to_bits);
        [
            sin(x).to_bits() as u32,
            (x.sqrt() / y).to_bits() as u32 ^ ratio.convert::<8>().0 as u32,
            p.0 as u32 ^ w.0,
            product as u32 + u32::from(x.floor() == 5),
        ]
    }
}

#[kernel]
pub fn binary_fractions(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&BINARY_FRACTIONS, program::run)
}
