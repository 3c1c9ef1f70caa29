//! The natural logarithm.

use crate::elementary::polynomial::polynomial;
use crate::elementary::real::Double;
use crate::elementary::scale::{exponent_and_factor, logarithm_or_special};
use std::f64::consts::LN_2;

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
fn parts<R: Double>(x: R) -> (R, R) {
    let (exponent, factor) = exponent_and_factor(x);
    (exponent, factor - 1.0)
}

/// `ln(1 + x)` where `x` comes from [`parts`].
#[inline(always)]
fn ln_1p_near<R: Double>(more: R) -> R {
    more * polynomial(more, LN_1P)
}

/// The natural logarithm of any number that is not subnormal in double precision.
#[inline(always)]
pub(crate) fn ln<R: Double>(x: R) -> R {
    let (exponent, more) = parts(x);
    logarithm_or_special(exponent.mul_add(LN_2, ln_1p_near(more)), x)
}
