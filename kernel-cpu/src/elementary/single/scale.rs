//! Exponents and fractions in the digits of a number.

use crate::elementary::real::{Number, Single, Truth};

/// Added to a number of less than 2²², it leaves the nearest integer in the last digits.
pub(super) const INTEGER: f32 = f32::INTEGER;

/// 2 to the power of an integer from -126 to 127, which is in the last digits of a number to which [`INTEGER`] has been added.
#[inline(always)]
pub(super) fn power_of_two<R: Single>(shifted: R) -> R {
    shifted.plus_bits(127).shift_bits_up(23)
}

/// A positive number that is not infinite as the exponent of a power of 2, and a factor from the square root of one half to that of 2.
#[inline(always)]
pub(super) fn exponent_and_factor<R: Single>(x: R) -> (R, R) {
    let is_small = x.is_less(f32::MIN_POSITIVE);
    let x = is_small.choose(x * UNIT, x);
    let (biased, factor) = biased_exponent_and_factor(x);
    (biased - is_small.choose(UNIT + 127.0 + 23.0, UNIT + 127.0), factor)
}

/// The same with a factor from 1 to 2.
#[inline(always)]
pub(super) fn fraction_from_one<R: Single>(x: R) -> (R, R) {
    let is_small = x.is_less(f32::MIN_POSITIVE);
    let x = is_small.choose(x * UNIT, x);
    let exponent = x.shift_bits_down(23).or_bits(UNIT.bits());
    let exponent = exponent - is_small.choose(UNIT + 127.0 + 23.0, UNIT + 127.0);
    (exponent, x.and_bits((1 << 23) - 1).or_bits(1_f32.bits()))
}

/// The first for a number that is not subnormal.
#[inline(always)]
pub(super) fn exponent_and_factor_of_normal<R: Single>(x: R) -> (R, R) {
    let (biased, factor) = biased_exponent_and_factor(x);
    (biased - (UNIT + 127.0), factor)
}

/// The lowest digit of a number of this size is 1.
const UNIT: f32 = (1_u32 << 23) as f32;

/// The exponent is that of the number and of [`UNIT`].
#[inline(always)]
fn biased_exponent_and_factor<R: Single>(x: R) -> (R, R) {
    // The lower end of the range of factors, which becomes a power of 2.
    const START: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();
    const ONE: u32 = 1_f32.to_bits();
    let above = x.plus_bits((ONE - START).into());
    let exponent = above.shift_bits_down(23).or_bits(UNIT.bits());
    (exponent, above.and_bits((1 << 23) - 1).plus_bits(START.into()))
}
