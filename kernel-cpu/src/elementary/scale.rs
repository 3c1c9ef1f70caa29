//! Exponents, fractions and integers in the digits of an `f64`, and numbers that have none.

use std::f64::consts::SQRT_2;

/// Added to a number of less than 2⁵¹, it leaves the nearest integer in the last digits.
pub(super) const INTEGER: f64 = 6_755_399_441_055_744.0;

/// 2 to the power of an integer from -1022 to 1023.
#[inline(always)]
pub(super) fn power_of_two(exponent: f64) -> f64 {
    f64::from_bits((exponent + INTEGER).to_bits().wrapping_add(1023) << 52)
}

/// `x`, of which the size is at most `limit`; NaN stays NaN.
#[inline(always)]
pub(super) fn limited(x: f64, limit: f64) -> f64 {
    let x = if x > limit { limit } else { x };
    if x < -limit { -limit } else { x }
}

/// A positive number that is neither subnormal nor infinite as the exponent of a power of 2, and a factor from the square root of one
/// half to that of 2.
#[inline(always)]
pub(super) fn exponent_and_factor(x: f64) -> (f64, f64) {
    // Exponents count from the lower end of that range.
    const START: u64 = (0.5 * SQRT_2).to_bits();
    let above = x.to_bits().wrapping_sub(START);
    // What is left of the exponent's twelve digits is signed.
    let exponent = ((above >> 52) as u32 as i32) << 20 >> 20;
    (exponent.into(), f64::from_bits((above & ((1 << 52) - 1)).wrapping_add(START)))
}

/// Whether a number is an integer, and whether it is an odd one.
#[inline(always)]
pub(super) fn parity(x: f64) -> (bool, bool) {
    let half = 0.5 * x;
    let is_integer = x.trunc() == x;
    (is_integer, is_integer && half.trunc() != half)
}

/// The logarithm of a number, also where that is not finite.
#[inline(always)]
pub(super) fn logarithm_or_special(value: f64, x: f64) -> f64 {
    let value = if x == f64::INFINITY { x } else { value };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x >= 0.0 { value } else { f64::NAN }
}
