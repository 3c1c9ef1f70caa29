//! Logarithms and the inverse hyperbolic functions.

use super::scale::{exponent_and_factor, exponent_and_factor_of_normal};
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Single, Truth};
use crate::elementary::scale::logarithm_or_special;
use std::f32::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// `(ln(1 + x) - x + x² / 2) / x³` from the square root of one half to that of 2, less 1, to 2⁻²¹.
const LN_1P: [f32; 8] = [
    0.333_333_3,
    -0.250_003_04,
    0.200_010_79,
    -0.166_414_74,
    0.142_126_14,
    -0.129_931_26,
    0.126_387_86,
    -0.079_427_83,
];

/// `(log₂(1 + x) - x / ln 2) / x²` there, to 2⁻²⁴.
const LOG2_1P: [f32; 9] = [
    -0.721_347_5,
    0.480_898_26,
    -0.360_682_9,
    0.288_559_35,
    -0.239_922_82,
    0.204_894_41,
    -0.188_934_18,
    0.183_698_74,
    -0.112_042_114,
];

/// `(log₁₀(1 + x) - x / ln 10) / x²` there, to 2⁻²⁴.
const LOG10_1P: [f32; 9] = [
    -0.217_147_23,
    0.144_764_8,
    -0.108_576_97,
    0.086_865_77,
    -0.072_211_15,
    0.061_657_924,
    -0.056_953_737,
    0.055_461_057,
    -0.033_742_032,
];

/// What [`LN_2`] lacks.
const LN_2_REST: f32 = -1.904_654_2e-9;

/// What `ln(1 + x)` is more than `x`, where `x` is a factor less 1.
#[inline(always)]
fn ln_1p_rest<R: Single>(more: R) -> R {
    (more * more) * more.mul_add(polynomial(more, LN_1P), -0.5)
}

/// What [`LOG2_E`], [`LOG10_2`] and [`LOG10_E`] lack.
const LOG2_E_REST: f32 = 1.925_963e-8;
const LOG10_2_REST: f32 = -1.432_098_9e-8;
const LOG10_E_REST: f32 = -1.010_305e-8;

#[inline(always)]
pub(crate) fn ln<R: Single>(x: R) -> R {
    let (exponent, factor) = exponent_and_factor(x);
    let more = factor - 1.0;
    let low = exponent.mul_add(LN_2_REST, ln_1p_rest(more));
    logarithm_or_special(exponent.mul_add(LN_2, more + low), x)
}

#[inline(always)]
pub(crate) fn log2<R: Single>(x: R) -> R {
    let (exponent, factor) = exponent_and_factor(x);
    let more = factor - 1.0;
    let low = (more * more).mul_add(polynomial(more, LOG2_1P), more * LOG2_E_REST);
    logarithm_or_special(exponent + more.mul_add(LOG2_E, low), x)
}

#[inline(always)]
pub(crate) fn log10<R: Single>(x: R) -> R {
    let (exponent, factor) = exponent_and_factor(x);
    let more = factor - 1.0;
    let low = (more * more).mul_add(polynomial(more, LOG10_1P), more * LOG10_E_REST);
    let low = more.mul_add(LOG10_E, exponent.mul_add(LOG10_2_REST, low));
    logarithm_or_special(exponent.mul_add(LOG10_2, low), x)
}

/// `ln(1 + x)` but for what is so little that it is `x`.
#[inline(always)]
fn ln_1p_wide<R: Single>(x: R) -> R {
    let sum = x + 1.0;
    let (exponent, factor) = exponent_and_factor_of_normal(sum);
    // What the sum has lost, which is nothing to a great one.
    let lost = x.is_less(1.0).choose(x - (sum - 1.0), R::from(1.0) - (sum - x));
    let lost = lost / sum;
    let more = factor - 1.0;
    let low = exponent.mul_add(LN_2_REST, ln_1p_rest(more) + lost);
    logarithm_or_special(exponent.mul_add(LN_2, more + low), sum)
}

#[inline(always)]
pub(crate) fn ln_1p<R: Single>(x: R) -> R {
    let value = ln_1p_wide(x);
    x.abs().is_less(LEAST).choose(x, value)
}

/// So small numbers are the logarithm of what is by them more than 1.
const LEAST: f32 = 1.0 / (1_u32 << 26) as f32;

/// From here on, the square of a number and 1 is the square.
const GREAT: f32 = (1_u32 << 30) as f32;

#[inline(always)]
pub(crate) fn asinh<R: Single>(x: R) -> R {
    let size = x.abs();
    let square = size * size;
    let is_great = size.is_greater(GREAT);
    let more = is_great.choose(size, size + square / ((square + 1.0).sqrt() + 1.0));
    let value = ln_1p_wide(more) + is_great.choose(LN_2, 0.0);
    size.is_less(LEAST).choose(x, value.copysign(x))
}

#[inline(always)]
pub(crate) fn acosh<R: Single>(x: R) -> R {
    let more = x - 1.0;
    let is_great = x.is_greater(GREAT);
    let more = is_great.choose(x, more + more.mul_add(more, more * 2.0).sqrt());
    let value = ln_1p_wide(more) + is_great.choose(LN_2, 0.0);
    x.is_at_least(1.0).choose(value, f32::NAN)
}

#[inline(always)]
pub(crate) fn atanh<R: Single>(x: R) -> R {
    let size = x.abs();
    let value = ln_1p_wide((size + size) / (R::from(1.0) - size)) * 0.5;
    size.is_less(LEAST).choose(x, value.copysign(x))
}
