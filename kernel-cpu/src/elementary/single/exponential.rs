//! Exponential and hyperbolic functions.

use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Real, Truth};
use crate::elementary::scale::{limited, power_of_two};
use std::f64::consts::{LN_2, LN_10, LOG2_E};

/// `(eˣ - 1 - x) / x²` for half of ln 2 at most, to 2⁻³⁶ of `eˣ - 1`.
const EXP_M1: [f64; 7] = [
    0.499_999_999_999_081_23,
    0.166_666_667_198_984_68,
    0.041_666_666_856_791_12,
    0.008_333_298_085_836_048,
    0.001_388_882_342_695_819_3,
    0.000_198_996_038_129_900_26,
    2.487_658_950_851_938e-5,
];

/// Powers of e of greater and lesser numbers are infinite or zero as an `f32`; of these they are ordinary as an `f64`.
const GREATEST: f64 = 700.0;

/// A power of 2 and what the power of e of the rest is more than 1.
#[inline(always)]
fn parts<R: Real>(x: R) -> (R, R) {
    let turns = (x * LOG2_E).round_ties_even();
    let rest = turns.mul_add(-LN_2, x);
    (power_of_two(turns), (rest * rest).mul_add(polynomial(rest, EXP_M1), rest))
}

/// eˣ for any `x`, also between numbers of single precision.
#[inline(always)]
pub(crate) fn exp<R: Real>(x: R) -> R {
    let (scale, more) = parts(limited(x, GREATEST));
    more.mul_add(scale, scale)
}

/// eˣ - 1 for any `x`, also near 0 and between numbers of single precision.
#[inline(always)]
fn exp_m1_wide<R: Real>(x: R) -> R {
    let (scale, more) = parts(limited(x, GREATEST));
    more.mul_add(scale, scale - 1.0)
}

#[inline(always)]
pub(crate) fn exp2<R: Real>(x: R) -> R {
    exp(x * LN_2)
}

#[inline(always)]
pub(crate) fn exp10<R: Real>(x: R) -> R {
    exp(x * LN_10)
}

#[inline(always)]
pub(crate) fn exp_m1<R: Real>(x: R) -> R {
    // The sign of zero is that of the argument.
    x.is_equal(0.0).choose(x, exp_m1_wide(x))
}

#[inline(always)]
pub(crate) fn sinh<R: Real>(x: R) -> R {
    let more = exp_m1_wide(x.abs());
    ((more + more / (more + 1.0)) * 0.5).copysign(x)
}

#[inline(always)]
pub(crate) fn cosh<R: Real>(x: R) -> R {
    let power = exp(x);
    (power + R::from(1.0) / power) * 0.5
}

#[inline(always)]
pub(crate) fn tanh<R: Real>(x: R) -> R {
    let more = exp_m1_wide(x.abs() * 2.0);
    (more / (more + 2.0)).copysign(x)
}
