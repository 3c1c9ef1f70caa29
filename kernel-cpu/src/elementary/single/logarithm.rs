//! Logarithms and the inverse hyperbolic functions.

use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Real, Truth};
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
fn parts<R: Real>(x: R) -> (R, R) {
    let (exponent, factor) = exponent_and_factor(x);
    (exponent, factor - 1.0)
}

/// `ln(1 + x)` where `x` comes from [`parts`].
#[inline(always)]
fn ln_1p_near<R: Real>(more: R) -> R {
    more * polynomial(more, LN_1P)
}

/// The natural logarithm of any number that is not subnormal in double precision.
#[inline(always)]
pub(crate) fn ln<R: Real>(x: R) -> R {
    let (exponent, more) = parts(x);
    logarithm_or_special(exponent.mul_add(LN_2, ln_1p_near(more)), x)
}

/// `ln(1 + x)`, exact near 0 too.
#[inline(always)]
fn ln_1p_wide<R: Real>(x: R) -> R {
    let sum = x + 1.0;
    let (exponent, more) = parts(sum);
    // What the sum has lost matters where it is nearly 1.
    let more = exponent.is_equal(0.0).choose(x, more);
    logarithm_or_special(exponent.mul_add(LN_2, ln_1p_near(more)), sum)
}

#[inline(always)]
pub(crate) fn log2<R: Real>(x: R) -> R {
    let (exponent, more) = parts(x);
    logarithm_or_special(ln_1p_near(more).mul_add(LOG2_E, exponent), x)
}

#[inline(always)]
pub(crate) fn log10<R: Real>(x: R) -> R {
    ln(x) * LOG10_E
}

#[inline(always)]
pub(crate) fn ln_1p<R: Real>(x: R) -> R {
    x.is_equal(0.0).choose(x, ln_1p_wide(x))
}

#[inline(always)]
pub(crate) fn asinh<R: Real>(x: R) -> R {
    let size = x.abs();
    let square = size * size;
    let more = size + square / ((square + 1.0).sqrt() + 1.0);
    ln_1p_wide(size.is_equal(f64::INFINITY).choose(size, more)).copysign(x)
}

#[inline(always)]
pub(crate) fn acosh<R: Real>(x: R) -> R {
    let more = x - 1.0;
    let value = ln_1p_wide(more + more.mul_add(more, more * 2.0).sqrt());
    x.is_at_least(1.0).choose(value, f64::NAN)
}

#[inline(always)]
pub(crate) fn atanh<R: Real>(x: R) -> R {
    let size = x.abs();
    (ln_1p_wide(size * 2.0 / (R::from(1.0) - size)) * 0.5).copysign(x)
}
