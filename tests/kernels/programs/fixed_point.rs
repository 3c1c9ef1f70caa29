//! Fixed-point numbers with operators on references, in the style of `fixed`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod fixed {
    use core::cmp::Ordering;
    use core::fmt;
    use core::iter::Sum;
    use core::num::Wrapping;
    use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Rem, Shl, Shr, Sub, SubAssign};

    #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(transparent)]
    pub struct Fixed<const FRAC: u32>(i32);

    pub type I16F16 = Fixed<16>;
    pub type I24F8 = Fixed<8>;

    impl<const FRAC: u32> Fixed<FRAC> {
        pub const ONE: Self = Self(1 << FRAC);
        pub const ZERO: Self = Self(0);
        pub const MAX: Self = Self(i32::MAX);
        pub const MIN: Self = Self(i32::MIN);
        pub const EPSILON: Self = Self(1);

        pub const fn from_bits(bits: i32) -> Self {
            Self(bits)
        }
        pub const fn to_bits(self) -> i32 {
            self.0
        }
        pub const fn from_int(n: i32) -> Self {
            Self(n << FRAC)
        }
        pub const fn floor(self) -> i32 {
            self.0 >> FRAC
        }
        pub fn checked_mul(self, rhs: Self) -> Option<Self> {
            let wide = (i64::from(self.0) * i64::from(rhs.0)) >> FRAC;
            i32::try_from(wide).ok().map(Self)
        }
        pub fn saturating_mul(self, rhs: Self) -> Self {
            self.checked_mul(rhs).unwrap_or(if (self.0 < 0) != (rhs.0 < 0) { Self::MIN } else { Self::MAX })
        }
        pub fn sqrt(self) -> Self {
            assert!(self.0 >= 0, "sqrt of a negative number");
            Self(((self.0 as u64) << FRAC).isqrt() as i32)
        }
        pub fn convert<const TO: u32>(self) -> Fixed<TO> {
            match TO.cmp(&FRAC) {
                Ordering::Less => Fixed(self.0 >> (FRAC - TO)),
                Ordering::Equal => Fixed(self.0),
                Ordering::Greater => Fixed(self.0 << (TO - FRAC)),
            }
        }
        pub fn lerp(self, other: Self, t: Self) -> Self {
            self + (other - self) * t
        }
    }

    macro_rules! forward {
        ($($op:ident::$f:ident, $opa:ident::$fa:ident => |$a:ident, $b:ident| $body:expr;)*) => {$(
            impl<const FRAC: u32> $op for Fixed<FRAC> {
                type Output = Self;
                #[inline]
                fn $f(self, rhs: Self) -> Self {
                    let ($a, $b) = (self.0, rhs.0);
                    Self($body)
                }
            }
            impl<'a, const FRAC: u32> $op<&'a Self> for Fixed<FRAC> {
                type Output = Self;
                fn $f(self, rhs: &'a Self) -> Self {
                    $op::$f(self, *rhs)
                }
            }
            impl<const FRAC: u32> $opa for Fixed<FRAC> {
                fn $fa(&mut self, rhs: Self) {
                    *self = $op::$f(*self, rhs);
                }
            }
        )*};
    }
    forward! {
        Add::add, AddAssign::add_assign => |a, b| a.wrapping_add(b);
        Sub::sub, SubAssign::sub_assign => |a, b| a.wrapping_sub(b);
        Mul::mul, MulAssign::mul_assign => |a, b| ((a as i64 * b as i64) >> FRAC) as i32;
    }

    impl<const FRAC: u32> Div for Fixed<FRAC> {
        type Output = Self;
        fn div(self, rhs: Self) -> Self {
            Self((((self.0 as i64) << FRAC) / rhs.0 as i64) as i32)
        }
    }
    impl<const FRAC: u32> Rem for Fixed<FRAC> {
        type Output = Self;
        fn rem(self, rhs: Self) -> Self {
            Self(self.0.checked_rem(rhs.0).unwrap_or(0))
        }
    }
    impl<const FRAC: u32> Neg for Fixed<FRAC> {
        type Output = Self;
        fn neg(self) -> Self {
            Self((-Wrapping(self.0)).0)
        }
    }
    impl<const FRAC: u32> Shl<u32> for Fixed<FRAC> {
        type Output = Self;
        fn shl(self, n: u32) -> Self {
            Self(self.0.wrapping_shl(n))
        }
    }
    impl<const FRAC: u32> Shr<u32> for Fixed<FRAC> {
        type Output = Self;
        fn shr(self, n: u32) -> Self {
            Self(self.0 >> n)
        }
    }
    impl<const FRAC: u32> From<i16> for Fixed<FRAC> {
        fn from(n: i16) -> Self {
            Self::from_int(n.into())
        }
    }
    impl<const FRAC: u32> From<Fixed<FRAC>> for f64 {
        fn from(x: Fixed<FRAC>) -> f64 {
            f64::from(x.0) / f64::from(1 << FRAC)
        }
    }
    impl<const FRAC: u32> Sum for Fixed<FRAC> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::ZERO, Add::add)
        }
    }
    impl<'a, const FRAC: u32> Sum<&'a Fixed<FRAC>> for Fixed<FRAC> {
        fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
            iter.copied().sum()
        }
    }
    impl<const FRAC: u32> fmt::Debug for Fixed<FRAC> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", f64::from(*self))
        }
    }

    pub fn horner(coefficients: &[I16F16], x: I16F16) -> I16F16 {
        coefficients.iter().rev().fold(I16F16::ZERO, |acc, c| acc * x + c)
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use fixed::{Fixed, I16F16, I24F8, horner};
    let a = I16F16::from_bits(seed as i32 >> 4);
    let b: I16F16 = 7_i16.into();
    let c = Fixed::<16>::from_bits((seed as i32).wrapping_mul(77) | 1);
    let mut acc = a * b - c;
    acc += a / c;
    acc *= I16F16::ONE + I16F16::EPSILON;
    let poly = horner(&[1.into(), (-2).into(), 3.into()], a >> 8);
    let sum: I16F16 = [a, b, -c].iter().sum();
    let low: I24F8 = acc.convert();
    let root = I16F16::from_bits((seed >> 1) as i32).sqrt();
    let top = [a, b, c].into_iter().max().unwrap();
    let sat = a.saturating_mul(c).max(b % c);
    let f = f64::from(root) * 3.0;
    let l = a.lerp(b, I16F16::ONE >> 1);
    (acc.to_bits()
        ^ poly.to_bits()
        ^ sum.to_bits()
        ^ low.to_bits()
        ^ top.to_bits()
        ^ sat.to_bits()
        ^ l.floor()) as u32
        ^ f as u32
}

#[kernel]
pub fn fixed_point(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&FIXED_POINT, |i| program(seed(i)))
}
