//! Exponential and hyperbolic functions.

use crate::elementary::polynomial::polynomial;
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
fn parts(x: f64) -> (f64, f64) {
    let turns = (x * LOG2_E).round_ties_even();
    let rest = turns.mul_add(-LN_2, x);
    (power_of_two(turns), (rest * rest).mul_add(polynomial(rest, EXP_M1), rest))
}

/// eˣ for any `x`, as exact as an `f32` needs it.
#[inline(always)]
pub(super) fn exp_wide(x: f64) -> f64 {
    let (scale, more) = parts(limited(x, GREATEST));
    more.mul_add(scale, scale)
}

/// eˣ - 1 for any `x`, as exact as an `f32` needs it, also near 0.
#[inline(always)]
fn exp_m1_wide(x: f64) -> f64 {
    let (scale, more) = parts(limited(x, GREATEST));
    more.mul_add(scale, scale - 1.0)
}

#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    exp_wide(x.into()) as f32
}

#[inline(always)]
pub(crate) fn exp2(x: f32) -> f32 {
    exp_wide(f64::from(x) * LN_2) as f32
}

#[inline(always)]
pub(crate) fn exp10(x: f32) -> f32 {
    exp_wide(f64::from(x) * LN_10) as f32
}

#[inline(always)]
pub(crate) fn exp_m1(x: f32) -> f32 {
    // The sign of zero is that of the argument.
    if x == 0.0 { x } else { exp_m1_wide(x.into()) as f32 }
}

#[inline(always)]
pub(crate) fn sinh(x: f32) -> f32 {
    let more = exp_m1_wide(x.abs().into());
    let sine = 0.5 * (more + more / (more + 1.0));
    (sine as f32).copysign(x)
}

#[inline(always)]
pub(crate) fn cosh(x: f32) -> f32 {
    let power = exp_wide(x.into());
    (0.5 * (power + 1.0 / power)) as f32
}

#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let more = exp_m1_wide(2.0 * f64::from(x.abs()));
    ((more / (more + 2.0)) as f32).copysign(x)
}
