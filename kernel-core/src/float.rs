//! What all floating-point types have in common.

use crate::half::{bf16, f16};
use crate::number::Signed;

/// Defines the trait and implements it: the methods of `f32` and `f64` are Rust's own; those of the halves are computed in
/// `f32` and rounded.
macro_rules! float {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// A floating-point type: `f16`, `bf16`, `f32` or `f64`.
        ///
        /// `f32` and `f64` have all of these methods anyway. For [`struct@f16`] and [`struct@bf16`] they are computed in `f32` and rounded, on
        /// the host; a device with half precision has its own functions of `f16`, within the bounds of the OpenCL C
        /// specification, "Relative Error as ULPs" for half precision.
        pub trait Float: Signed {
            $($(#[$doc])* #[must_use] fn $name(self $(, $argument: $ty)*) -> $result;)*

            /// `self * a + b`, rounded once; for `bf16` once to `f32` and then to `bf16`.
            #[must_use]
            fn mul_add(self, a: Self, b: Self) -> Self;
        }

        float! { @primitive f32 $(fn $name($($argument: $ty),*) -> $result;)* }
        float! { @primitive f64 $(fn $name($($argument: $ty),*) -> $result;)* }

        impl Float for f16 {
            $(#[inline] fn $name(self $(, $argument: $ty)*) -> $result {
                f32::$name(self.to_f32() $(, $argument.widened())*).rounded()
            })*

            fn mul_add(self, a: Self, b: Self) -> Self {
                // The product is exact; the sum can be inexact only far from where halves are rounded.
                round_once(self.to_f64() * a.to_f64() + b.to_f64())
            }
        }

        impl Float for bf16 {
            $(#[inline] fn $name(self $(, $argument: $ty)*) -> $result {
                f32::$name(self.to_f32() $(, $argument.widened())*).rounded()
            })*

            fn mul_add(self, a: Self, b: Self) -> Self {
                Self::from_f32(self.to_f32().mul_add(a.to_f32(), b.to_f32()))
            }
        }
    };
    (@primitive $float:ident $(fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        impl Float for $float {
            $(#[inline] fn $name(self $(, $argument: $ty)*) -> $result { <$float>::$name(self $(, $argument)*) })*

            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                <$float>::mul_add(self, a, b)
            }
        }
    };
}

float! {
    /// The arc cosine, in radians.
    fn acos() -> Self;
    /// The inverse hyperbolic cosine.
    fn acosh() -> Self;
    /// The arc sine, in radians.
    fn asin() -> Self;
    /// The inverse hyperbolic sine.
    fn asinh() -> Self;
    /// The arc tangent, in radians.
    fn atan() -> Self;
    /// The angle of the point (`other`, `self`), in radians from -π to π.
    fn atan2(other: Self) -> Self;
    /// The inverse hyperbolic tangent.
    fn atanh() -> Self;
    /// The cube root.
    fn cbrt() -> Self;
    /// The least integer that is not less.
    fn ceil() -> Self;
    /// This magnitude with the sign of another number.
    fn copysign(sign: Self) -> Self;
    /// The cosine of an angle in radians.
    fn cos() -> Self;
    /// The hyperbolic cosine.
    fn cosh() -> Self;
    /// e to this power.
    fn exp() -> Self;
    /// 2 to this power.
    fn exp2() -> Self;
    /// e to this power, less 1; exact near 0.
    fn exp_m1() -> Self;
    /// The greatest integer that is not greater.
    fn floor() -> Self;
    /// What is left when the integral part is taken away.
    fn fract() -> Self;
    /// The length of the hypotenuse over two legs.
    fn hypot(other: Self) -> Self;
    /// Returns whether this is neither infinite nor NaN.
    fn is_finite() -> bool;
    /// Returns whether this is an infinity.
    fn is_infinite() -> bool;
    /// Returns whether this is not a number.
    fn is_nan() -> bool;
    /// Returns whether the sign bit is set.
    fn is_sign_negative() -> bool;
    /// Returns whether the sign bit is not set.
    fn is_sign_positive() -> bool;
    /// The natural logarithm.
    fn ln() -> Self;
    /// The natural logarithm of 1 more; exact near 0.
    fn ln_1p() -> Self;
    /// The logarithm to a base.
    fn log(base: Self) -> Self;
    /// The logarithm to base 10.
    fn log10() -> Self;
    /// The logarithm to base 2.
    fn log2() -> Self;
    /// This to a power.
    fn powf(exponent: Self) -> Self;
    /// This to an integral power.
    fn powi(exponent: i32) -> Self;
    /// One divided by this.
    fn recip() -> Self;
    /// The nearest integer, halfway cases away from 0.
    fn round() -> Self;
    /// The nearest integer, halfway cases to the even one.
    fn round_ties_even() -> Self;
    /// The sine of an angle in radians.
    fn sin() -> Self;
    /// The hyperbolic sine.
    fn sinh() -> Self;
    /// The square root, correctly rounded.
    fn sqrt() -> Self;
    /// The tangent of an angle in radians.
    fn tan() -> Self;
    /// The hyperbolic tangent.
    fn tanh() -> Self;
    /// This angle in degrees, from radians.
    fn to_degrees() -> Self;
    /// This angle in radians, from degrees.
    fn to_radians() -> Self;
    /// The integral part.
    fn trunc() -> Self;
}

/// What a function of `f32` takes for an argument.
trait Widened {
    type Wide;
    fn widened(self) -> Self::Wide;
}

/// What the result of a function of `f32` becomes.
trait Rounded<T> {
    fn rounded(self) -> T;
}

macro_rules! halves {
    ($($half:ident)*) => {$(
        impl Widened for $half {
            type Wide = f32;
            fn widened(self) -> f32 {
                self.to_f32()
            }
        }

        impl Rounded<$half> for f32 {
            fn rounded(self) -> $half {
                $half::from_f32(self)
            }
        }
    )*};
}

halves! { f16 bf16 }

impl Widened for i32 {
    type Wide = i32;
    fn widened(self) -> i32 {
        self
    }
}

impl Rounded<bool> for bool {
    fn rounded(self) -> bool {
        self
    }
}

/// The nearest half. The crate's own conversion rounds to `f32` first on some processors; that is harmless if the last
/// bit is set wherever something was lost (rounding to odd).
fn round_once(exact: f64) -> f16 {
    let near = exact as f32;
    let error = f64::from(near).abs() - exact.abs();
    let even = near.to_bits() & 1 == 0;
    f16::from_f32(match () {
        () if even && error > 0.0 => f32::from_bits(near.to_bits() - 1),
        () if even && error < 0.0 => f32::from_bits(near.to_bits() + 1),
        () => near,
    })
}

#[cfg(test)]
mod tests {
    use super::{Float, f16, round_once};

    #[test]
    fn a_double_is_rounded_to_half_once() {
        let halfway = 1.0 + f64::powi(2.0, -11);
        assert_eq!(round_once(halfway), f16::ONE);
        assert_eq!(round_once(halfway + f64::powi(2.0, -40)), f16::from_bits(0x3c01));
        assert_eq!(round_once(-halfway - f64::powi(2.0, -40)), -f16::from_bits(0x3c01));
        assert_eq!(round_once(f64::MAX), f16::INFINITY);
        assert_eq!(round_once(f64::MIN_POSITIVE), f16::ZERO);
        assert!(round_once(f64::NAN).is_nan());
    }

    #[test]
    fn a_fused_sum_of_halves_is_rounded_once() {
        // The product is 1 + 2^-5 + 2^-6 + 2^-11, halfway between two halves, and the addend decides. In `f32` it would be lost.
        let (a, b, least) = (f16::from_bits(0x3c10), f16::from_bits(0x3c20), f16::from_bits(1));
        assert_eq!(a.mul_add(b, f16::ZERO).to_bits(), 0x3c30);
        assert_eq!(a.mul_add(b, least).to_bits(), 0x3c31);
        assert_eq!(a.mul_add(b, -least).to_bits(), 0x3c30);
        assert_eq!(f16::MAX.mul_add(f16::ONE, f16::MAX), f16::INFINITY);
    }
}

builtin_names! { Float __float }
