//! What the functions compute with.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// A float of which constants are: `f32` or `f64`.
pub(crate) trait Number: Real<Number = Self, Truth = bool> + Neg<Output = Self> + PartialEq {
    /// The bit of the sign.
    const SIGN: u64;
    /// How many digits of the fraction are stored.
    const DIGITS: u32;
    /// Added to a number of less than a third of it, it leaves the nearest integer in the last digits.
    const INTEGER: Self;

    /// The nearest number.
    fn of(number: f64) -> Self;
    /// The bits, as an integer of 64 of them.
    fn bits(self) -> u64;
    /// A number by its bits; more than it has are dropped.
    fn of_bits(bits: u64) -> Self;
}

/// A number: an `f32` or an `f64`, or what stands for one while code is made for it.
///
/// Whatever it is, an operation has the same result, bit by bit, but for the bits of a NaN.
pub(crate) trait Real:
    Copy
    + From<<Self as Real>::Number>
    + Add<Output = Self>
    + Add<<Self as Real>::Number, Output = Self>
    + Sub<Output = Self>
    + Sub<<Self as Real>::Number, Output = Self>
    + Mul<Output = Self>
    + Mul<<Self as Real>::Number, Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Of what precision it is.
    type Number: Number;
    /// What a comparison gives.
    type Truth: Truth<Self>;

    /// `self · factor + addend`, rounded once.
    fn mul_add(self, factor: impl Into<Self>, addend: impl Into<Self>) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn round_ties_even(self) -> Self;
    fn trunc(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    /// Whether it is less; not if one of the two is NaN.
    fn is_less(self, other: impl Into<Self>) -> Self::Truth;
    /// Whether it is not greater; not if one of the two is NaN.
    fn is_at_most(self, other: impl Into<Self>) -> Self::Truth;
    fn is_equal(self, other: impl Into<Self>) -> Self::Truth;
    fn is_nan(self) -> Self::Truth;
    /// The sum of the bits and a number, as integers without carry.
    fn plus_bits(self, number: u64) -> Self;
    fn and_bits(self, mask: u64) -> Self;
    fn or_bits(self, mask: u64) -> Self;
    fn xor_bits(self, mask: u64) -> Self;
    /// The bits that differ.
    fn xor_bits_of(self, other: Self) -> Self;
    /// The bits, shifted to the more significant ones.
    fn shift_bits_up(self, count: u32) -> Self;
    /// The bits, shifted to the less significant ones.
    fn shift_bits_down(self, count: u32) -> Self;
    /// Whether one of these bits is set.
    fn has_bits(self, mask: u64) -> Self::Truth;

    /// `self` times 2 to the power of an integer, rounded once.
    ///
    /// The exponent is of less than two times what one of a float can be, and half of it leaves all digits.
    #[inline(always)]
    fn scale(self, exponent: Self) -> Self {
        scaled_by_halves(self, exponent)
    }

    /// Whether it is greater; not if one of the two is NaN.
    #[inline(always)]
    fn is_greater(self, other: impl Into<Self>) -> Self::Truth {
        other.into().is_less(self)
    }

    /// Whether it is not less; not if one of the two is NaN.
    #[inline(always)]
    fn is_at_least(self, other: impl Into<Self>) -> Self::Truth {
        other.into().is_at_most(self)
    }

    #[inline(always)]
    fn is_sign_negative(self) -> Self::Truth {
        self.has_bits(Self::Number::SIGN)
    }
}

/// `value` times 2 to the power of `exponent`, of which each half is multiplied.
#[inline(always)]
pub(super) fn scaled_by_halves<R: Real>(value: R, exponent: R) -> R {
    let (digits, one) = (R::Number::DIGITS, R::Number::of(1.0).bits());
    // The integer without its lowest digit, one place below the exponent, is its half in the exponent.
    let half = |integer: R| integer.shift_bits_up(digits - 1).and_bits(!(1 << (digits - 1)));
    let shifted = exponent + R::Number::INTEGER;
    let rest = half(shifted.plus_bits(1));
    value * half(shifted).plus_bits(one) * rest.plus_bits(one)
}

/// A number of single precision.
pub(crate) trait Single: Real<Number = f32> {}

impl<R: Real<Number = f32>> Single for R {}

/// A number of double precision.
pub(crate) trait Double: Real<Number = f64> {}

impl<R: Real<Number = f64>> Double for R {}

/// Whether something holds.
pub(crate) trait Truth<R>:
    Copy + From<bool> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    fn choose(self, yes: impl Into<R>, no: impl Into<R>) -> R;
}

macro_rules! numbers {
    ($($float:ident $bits:ident)*) => {$(
        impl Number for $float {
            const SIGN: u64 = 1 << ($bits::BITS - 1);
            const DIGITS: u32 = $float::MANTISSA_DIGITS - 1;
            const INTEGER: Self = ((1 as $bits) << ($float::MANTISSA_DIGITS - 1)) as $float * 1.5;

            #[inline(always)]
            fn of(number: f64) -> Self {
                number as Self
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                self.to_bits().into()
            }

            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
        }

        impl Real for $float {
            type Number = Self;
            type Truth = bool;

            #[inline(always)]
            fn mul_add(self, factor: impl Into<Self>, addend: impl Into<Self>) -> Self {
                Self::mul_add(self, factor.into(), addend.into())
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Self::abs(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self::sqrt(self)
            }

            #[inline(always)]
            fn round_ties_even(self) -> Self {
                Self::round_ties_even(self)
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                Self::trunc(self)
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                Self::copysign(self, sign)
            }

            #[inline(always)]
            fn is_less(self, other: impl Into<Self>) -> bool {
                self < other.into()
            }

            #[inline(always)]
            fn is_at_most(self, other: impl Into<Self>) -> bool {
                self <= other.into()
            }

            #[inline(always)]
            fn is_equal(self, other: impl Into<Self>) -> bool {
                self == other.into()
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                Self::is_nan(self)
            }

            #[inline(always)]
            fn plus_bits(self, number: u64) -> Self {
                Self::from_bits(self.to_bits().wrapping_add(number as $bits))
            }

            #[inline(always)]
            fn and_bits(self, mask: u64) -> Self {
                Self::from_bits(self.to_bits() & mask as $bits)
            }

            #[inline(always)]
            fn or_bits(self, mask: u64) -> Self {
                Self::from_bits(self.to_bits() | mask as $bits)
            }

            #[inline(always)]
            fn xor_bits(self, mask: u64) -> Self {
                Self::from_bits(self.to_bits() ^ mask as $bits)
            }

            #[inline(always)]
            fn xor_bits_of(self, other: Self) -> Self {
                Self::from_bits(self.to_bits() ^ other.to_bits())
            }

            #[inline(always)]
            fn shift_bits_up(self, count: u32) -> Self {
                Self::from_bits(self.to_bits() << count)
            }

            #[inline(always)]
            fn shift_bits_down(self, count: u32) -> Self {
                Self::from_bits(self.to_bits() >> count)
            }

            #[inline(always)]
            fn has_bits(self, mask: u64) -> bool {
                self.to_bits() & mask as $bits != 0
            }
        }

        impl Truth<$float> for bool {
            #[inline(always)]
            fn choose(self, yes: impl Into<$float>, no: impl Into<$float>) -> $float {
                if self { yes.into() } else { no.into() }
            }
        }
    )*};
}

numbers! { f32 u32 f64 u64 }
