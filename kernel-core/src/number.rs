//! What numbers have in common: traits with the methods of the scalars.

use crate::Element;
use crate::half::{bf16, f16};
use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul,
    MulAssign, Neg, Not, Rem, RemAssign, Shl, Shr, Sub, SubAssign,
};

/// The least and the greatest of two.
///
/// This is a trait of its own, and not to be imported: the integers have methods of these names from [`Ord`], with which those of
/// another trait in scope would be confused. A parameter that is a [`Number`] has them all the same.
pub trait Extremes: Sized {
    /// The greater of two numbers; of a number and NaN the number.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// The less of two numbers; of a number and NaN the number.
    #[must_use]
    fn min(self, other: Self) -> Self;
}

/// A number: an integer or a [`Float`](crate::Float).
pub trait Number:
    Element
    + Extremes
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// What nothing is less than: the least integer, or negative infinity.
    const LEAST: Self;
    /// What nothing is greater than: the greatest integer, or infinity.
    const GREATEST: Self;

    /// The number as `as` casts it: a float is rounded to the nearest, and an integer is cut off and saturates.
    #[must_use]
    fn from_f64(value: f64) -> Self;

    /// The number as `as f64` casts it.
    #[must_use]
    fn to_f64(self) -> f64;

    /// The quotient that leaves a remainder which is not negative.
    #[must_use]
    fn div_euclid(self, divisor: Self) -> Self;

    /// The remainder that is not negative.
    #[must_use]
    fn rem_euclid(self, divisor: Self) -> Self;
}

/// A number that can be negative.
pub trait Signed: Number + Neg<Output = Self> {
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;

    /// 1 with the sign of this; for an integer 0 if it is that; for NaN NaN.
    #[must_use]
    fn signum(self) -> Self;
}

macro_rules! primitive {
    ($($ty:ident)*) => {$(
        impl Extremes for $ty {
            #[inline]
            fn max(self, other: Self) -> Self {
                primitive!(@max $ty self other)
            }

            #[inline]
            fn min(self, other: Self) -> Self {
                primitive!(@min $ty self other)
            }
        }

        impl Number for $ty {
            const ZERO: Self = 0 as $ty;
            const ONE: Self = 1 as $ty;
            const LEAST: Self = primitive!(@limit $ty MIN NEG_INFINITY);
            const GREATEST: Self = primitive!(@limit $ty MAX INFINITY);

            #[inline]
            #[allow(clippy::unnecessary_cast, reason = "one body for all types")]
            fn from_f64(value: f64) -> Self {
                value as $ty
            }

            #[inline]
            #[allow(clippy::unnecessary_cast, reason = "one body for all types")]
            fn to_f64(self) -> f64 {
                self as f64
            }

            #[inline]
            fn div_euclid(self, divisor: Self) -> Self {
                <$ty>::div_euclid(self, divisor)
            }

            #[inline]
            fn rem_euclid(self, divisor: Self) -> Self {
                <$ty>::rem_euclid(self, divisor)
            }
        }
    )*};
    (@limit f32 $integer:ident $float:ident) => { f32::$float };
    (@limit f64 $integer:ident $float:ident) => { f64::$float };
    (@limit $ty:ident $integer:ident $float:ident) => { $ty::$integer };
    (@max f32 $a:ident $b:ident) => { f32::max($a, $b) };
    (@max f64 $a:ident $b:ident) => { f64::max($a, $b) };
    (@max $ty:ident $a:ident $b:ident) => { Ord::max($a, $b) };
    (@min f32 $a:ident $b:ident) => { f32::min($a, $b) };
    (@min f64 $a:ident $b:ident) => { f64::min($a, $b) };
    (@min $ty:ident $a:ident $b:ident) => { Ord::min($a, $b) };
}

primitive! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }

macro_rules! signed {
    ($($ty:ident)*) => {$(
        impl Signed for $ty {
            #[inline]
            fn abs(self) -> Self {
                <$ty>::abs(self)
            }

            #[inline]
            fn signum(self) -> Self {
                <$ty>::signum(self)
            }
        }
    )*};
}

signed! { i8 i16 i32 i64 isize f32 f64 }

macro_rules! halves {
    ($($ty:ident)*) => {$(
        impl Extremes for $ty {
            #[inline]
            fn max(self, other: Self) -> Self {
                $ty::max(self, other)
            }

            #[inline]
            fn min(self, other: Self) -> Self {
                $ty::min(self, other)
            }
        }

        impl Number for $ty {
            const ZERO: Self = $ty::ZERO;
            const ONE: Self = $ty::ONE;
            const LEAST: Self = $ty::NEG_INFINITY;
            const GREATEST: Self = $ty::INFINITY;

            #[inline]
            fn from_f64(value: f64) -> Self {
                $ty::from_f64(value)
            }

            #[inline]
            fn to_f64(self) -> f64 {
                self.into()
            }

            fn div_euclid(self, divisor: Self) -> Self {
                $ty::from_f32(self.to_f32().div_euclid(divisor.to_f32()))
            }

            fn rem_euclid(self, divisor: Self) -> Self {
                $ty::from_f32(self.to_f32().rem_euclid(divisor.to_f32()))
            }
        }

        impl Signed for $ty {
            #[inline]
            fn abs(self) -> Self {
                $ty::from_bits(self.to_bits() & 0x7fff)
            }

            #[inline]
            fn signum(self) -> Self {
                $ty::signum(self)
            }
        }
    )*};
}

halves! { f16 bf16 }

/// Defines the trait of the integers, whose methods are Rust's own.
macro_rules! integer {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// An integer.
        pub trait Integer:
            Number
            + Ord
            + Not<Output = Self>
            + BitAnd<Output = Self>
            + BitOr<Output = Self>
            + BitXor<Output = Self>
            + BitAndAssign
            + BitOrAssign
            + BitXorAssign
            + Shl<Output = Self>
            + Shr<Output = Self>
        {
            $($(#[$doc])* #[must_use] fn $name(self $(, $argument: $ty)*) -> $result;)*
        }

        integer! { @each [i8 i16 i32 i64 isize u8 u16 u32 u64 usize] { $(fn $name($($argument: $ty),*) -> $result;)* } }
    };
    (@each [$($of:ident)*] $methods:tt) => { $(integer! { @one $of $methods })* };
    (@one $of:ident { $(fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)* }) => {
        impl Integer for $of {
            $(
                #[inline]
                fn $name(self $(, $argument: $ty)*) -> $result {
                    <$of>::$name(self $(, $argument)*)
                }
            )*
        }
    };
}

integer! {
    /// How many bits are 1.
    fn count_ones() -> u32;
    /// How many bits are 0.
    fn count_zeros() -> u32;
    /// The logarithm to base 10, rounded down.
    fn ilog10() -> u32;
    /// The position of the highest bit.
    fn ilog2() -> u32;
    /// The square root, rounded down.
    fn isqrt() -> Self;
    /// How many of the highest bits are 1.
    fn leading_ones() -> u32;
    /// How many of the highest bits are 0.
    fn leading_zeros() -> u32;
    /// Half the sum, rounded towards zero.
    fn midpoint(other: Self) -> Self;
    /// The sum without what exceeds the type, and whether it does.
    fn overflowing_add(other: Self) -> (Self, bool);
    /// The product without what exceeds the type, and whether it does.
    fn overflowing_mul(other: Self) -> (Self, bool);
    /// The negation without what exceeds the type, and whether it does.
    fn overflowing_neg() -> (Self, bool);
    /// The power without what exceeds the type, and whether it does.
    fn overflowing_pow(exponent: u32) -> (Self, bool);
    /// The difference without what exceeds the type, and whether it does.
    fn overflowing_sub(other: Self) -> (Self, bool);
    /// The number to a power.
    fn pow(exponent: u32) -> Self;
    /// The bits in the opposite order.
    fn reverse_bits() -> Self;
    /// The bits moved towards the high ones, around the end.
    fn rotate_left(count: u32) -> Self;
    /// The bits moved towards the low ones, around the end.
    fn rotate_right(count: u32) -> Self;
    /// The sum, or the limit that it exceeds.
    fn saturating_add(other: Self) -> Self;
    /// The quotient, or the limit that it exceeds.
    fn saturating_div(other: Self) -> Self;
    /// The product, or the limit that it exceeds.
    fn saturating_mul(other: Self) -> Self;
    /// The power, or the limit that it exceeds.
    fn saturating_pow(exponent: u32) -> Self;
    /// The difference, or the limit that it exceeds.
    fn saturating_sub(other: Self) -> Self;
    /// The sum; a panic, and on a device a fault, if it exceeds the type.
    fn strict_add(other: Self) -> Self;
    /// The product; a panic, and on a device a fault, if it exceeds the type.
    fn strict_mul(other: Self) -> Self;
    /// The negation; a panic, and on a device a fault, if it exceeds the type.
    fn strict_neg() -> Self;
    /// The power; a panic, and on a device a fault, if it exceeds the type.
    fn strict_pow(exponent: u32) -> Self;
    /// The difference; a panic, and on a device a fault, if it exceeds the type.
    fn strict_sub(other: Self) -> Self;
    /// The bytes in the opposite order.
    fn swap_bytes() -> Self;
    /// How many of the lowest bits are 1.
    fn trailing_ones() -> u32;
    /// How many of the lowest bits are 0.
    fn trailing_zeros() -> u32;
    /// The bits moved up, until none are left.
    fn unbounded_shl(count: u32) -> Self;
    /// The bits moved down, until none are left but the sign.
    fn unbounded_shr(count: u32) -> Self;
    /// The sum without what exceeds the type.
    fn wrapping_add(other: Self) -> Self;
    /// The quotient without what exceeds the type.
    fn wrapping_div(other: Self) -> Self;
    /// The Euclidean quotient without what exceeds the type.
    fn wrapping_div_euclid(other: Self) -> Self;
    /// The product without what exceeds the type.
    fn wrapping_mul(other: Self) -> Self;
    /// The negation without what exceeds the type.
    fn wrapping_neg() -> Self;
    /// The power without what exceeds the type.
    fn wrapping_pow(exponent: u32) -> Self;
    /// The remainder; 0 for the quotient that exceeds the type.
    fn wrapping_rem(other: Self) -> Self;
    /// The Euclidean remainder; 0 for the quotient that exceeds the type.
    fn wrapping_rem_euclid(other: Self) -> Self;
    /// The bits moved up, by the count modulo the width.
    fn wrapping_shl(count: u32) -> Self;
    /// The bits moved down, by the count modulo the width.
    fn wrapping_shr(count: u32) -> Self;
    /// The difference without what exceeds the type.
    fn wrapping_sub(other: Self) -> Self;
}

builtin_names! { Number __number Signed __signed Integer __integer }
