//! What the functions compute with.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// A number of double precision: an `f64`, or what stands for one while code is made for it.
///
/// Whatever it is, an operation has the same result, bit by bit, but for the bits of a NaN.
pub(crate) trait Real:
    Copy
    + From<f64>
    + Add<Output = Self>
    + Add<f64, Output = Self>
    + Sub<Output = Self>
    + Sub<f64, Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
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
    /// The bits, shifted to the more significant ones.
    fn shift_bits_up(self, count: u32) -> Self;
    /// The bits, shifted to the less significant ones.
    fn shift_bits_down(self, count: u32) -> Self;
    /// Whether one of these bits is set.
    fn has_bits(self, mask: u64) -> Self::Truth;

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
        self.has_bits(1 << 63)
    }
}

/// Whether something holds.
pub(crate) trait Truth<R>:
    Copy + From<bool> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    fn choose(self, yes: impl Into<R>, no: impl Into<R>) -> R;
}

impl Real for f64 {
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
        Self::from_bits(self.to_bits().wrapping_add(number))
    }

    #[inline(always)]
    fn and_bits(self, mask: u64) -> Self {
        Self::from_bits(self.to_bits() & mask)
    }

    #[inline(always)]
    fn or_bits(self, mask: u64) -> Self {
        Self::from_bits(self.to_bits() | mask)
    }

    #[inline(always)]
    fn xor_bits(self, mask: u64) -> Self {
        Self::from_bits(self.to_bits() ^ mask)
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
        self.to_bits() & mask != 0
    }
}

impl Truth<f64> for bool {
    #[inline(always)]
    fn choose(self, yes: impl Into<f64>, no: impl Into<f64>) -> f64 {
        if self { yes.into() } else { no.into() }
    }
}
