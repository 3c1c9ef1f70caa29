//! Exponents, fractions and integers in the digits of a number, and numbers that have none.

use super::real::{Double, Number, Real, Truth};
use std::f64::consts::SQRT_2;

/// Added to a number of less than 2⁵¹, it leaves the nearest integer in the last digits.
pub(super) const INTEGER: f64 = f64::INTEGER;

/// 2 to the power of an integer from -1022 to 1023.
#[inline(always)]
pub(super) fn power_of_two<R: Double>(exponent: R) -> R {
    (exponent + INTEGER).plus_bits(1023).shift_bits_up(52)
}

/// `x`, of which the size is at most `limit`; NaN stays NaN.
#[inline(always)]
pub(super) fn limited<R: Real>(x: R, limit: R::Number) -> R {
    let x = x.is_greater(limit).choose(limit, x);
    x.is_less(-limit).choose(-limit, x)
}

/// A positive number that is neither subnormal nor infinite as the exponent of a power of 2, and a factor from the square root of one
/// half to that of 2.
#[inline(always)]
pub(super) fn exponent_and_factor<R: Double>(x: R) -> (R, R) {
    // Exponents count from the lower end of that range.
    const START: u64 = (0.5 * SQRT_2).to_bits();
    // The lowest digit of a number of this size is 1.
    const UNIT: f64 = (1_u64 << 52) as f64;
    const SIGN: u64 = 1 << 11;
    let above = x.plus_bits(START.wrapping_neg());
    // What is left of the exponent's twelve digits is signed.
    let exponent = above.shift_bits_down(52).xor_bits(SIGN).or_bits(UNIT.to_bits()) - (UNIT + SIGN as f64);
    (exponent, above.and_bits((1 << 52) - 1).plus_bits(START))
}

/// Whether a number is an integer, and whether it is an odd one.
#[inline(always)]
pub(super) fn parity<R: Real>(x: R) -> (R::Truth, R::Truth) {
    let half = x * R::Number::of(0.5);
    let is_integer = x.trunc().is_equal(x);
    (is_integer, is_integer & !half.trunc().is_equal(half))
}

/// The logarithm of a number, also where that is not finite.
#[inline(always)]
pub(super) fn logarithm_or_special<R: Real>(value: R, x: R) -> R {
    let number = R::Number::of;
    let value = x.is_equal(number(f64::INFINITY)).choose(x, value);
    let value = x.is_equal(number(0.0)).choose(number(f64::NEG_INFINITY), value);
    x.is_at_least(number(0.0)).choose(value, number(f64::NAN))
}
