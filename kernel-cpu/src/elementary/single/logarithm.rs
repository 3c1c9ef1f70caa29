//! Logarithms and the inverse hyperbolic functions.

use crate::elementary::polynomial::polynomial;
use crate::elementary::scale::{exponent_and_factor, logarithm_or_special};
use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

/// `ln(1 + x) / x` from the square root of one half to that of 2, less 1, to 2⁻⁴¹.
const LN_1P: [f64; 15] = [
    1.000_000_000_000_285_8,
    -0.499_999_999_986_006_47,
    0.333_333_333_059_234_3,
    -0.250_000_004_045_331_1,
    0.200_000_045_061_497_1,
    -0.166_666_351_108_693_02,
    0.142_854_263_082_111_72,
    -0.125_009_473_575_723_17,
    0.111_200_398_780_303_9,
    -0.099_901_474_976_363_7,
    0.089_493_744_506_938_41,
    -0.082_886_466_130_806_61,
    0.087_499_039_897_639_53,
    -0.085_812_742_809_620_56,
    0.043_897_866_780_519_66,
];

/// A positive number as the exponent of a power of 2, and what the rest is more than 1.
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    let (exponent, factor) = exponent_and_factor(x);
    (exponent, factor - 1.0)
}

/// `ln(1 + x)` where `x` comes from [`parts`].
#[inline(always)]
fn ln_1p_near(more: f64) -> f64 {
    more * polynomial(more, LN_1P)
}

/// The natural logarithm of any number that is not subnormal as an `f64`.
#[inline(always)]
pub(super) fn ln_wide(x: f64) -> f64 {
    let (exponent, more) = parts(x);
    logarithm_or_special(exponent.mul_add(LN_2, ln_1p_near(more)), x)
}

/// `ln(1 + x)`, exact near 0 too.
#[inline(always)]
fn ln_1p_wide(x: f64) -> f64 {
    let sum = 1.0 + x;
    let (exponent, more) = parts(sum);
    // What the sum has lost matters where it is nearly 1.
    let more = if exponent == 0.0 { x } else { more };
    logarithm_or_special(exponent.mul_add(LN_2, ln_1p_near(more)), sum)
}

#[inline(always)]
pub(crate) fn ln(x: f32) -> f32 {
    ln_wide(x.into()) as f32
}

#[inline(always)]
pub(crate) fn log2(x: f32) -> f32 {
    let x = f64::from(x);
    let (exponent, more) = parts(x);
    logarithm_or_special(ln_1p_near(more).mul_add(LOG2_E, exponent), x) as f32
}

#[inline(always)]
pub(crate) fn log10(x: f32) -> f32 {
    (ln_wide(x.into()) * LOG10_E) as f32
}

#[inline(always)]
pub(crate) fn ln_1p(x: f32) -> f32 {
    if x == 0.0 { x } else { ln_1p_wide(x.into()) as f32 }
}

#[inline(always)]
pub(crate) fn asinh(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let square = size * size;
    let more = size + square / (1.0 + (square + 1.0).sqrt());
    (ln_1p_wide(if size == f64::INFINITY { size } else { more }) as f32).copysign(x)
}

#[inline(always)]
pub(crate) fn acosh(x: f32) -> f32 {
    let more = f64::from(x) - 1.0;
    let value = ln_1p_wide(more + more.mul_add(more, 2.0 * more).sqrt()) as f32;
    if x >= 1.0 { value } else { f32::NAN }
}

#[inline(always)]
pub(crate) fn atanh(x: f32) -> f32 {
    let size = f64::from(x.abs());
    ((0.5 * ln_1p_wide(2.0 * size / (1.0 - size))) as f32).copysign(x)
}
