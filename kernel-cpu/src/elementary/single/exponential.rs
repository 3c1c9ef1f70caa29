//! Exponential and hyperbolic functions.

use super::scale::{INTEGER, power_of_two};
use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Single, Truth};
use crate::elementary::scale::limited;
use std::f32::consts::{LN_2, LN_10, LOG2_10, LOG2_E};

/// `(eˣ - 1 - x) / x²` for half of ln 2 at most, to 2⁻²².
const EXP_M1: [f32; 5] = [0.5, 0.166_665_78, 0.041_666_71, 0.008_363_099, 0.001_391_076_6];

/// `(2ˣ - 1) / x` for one half at most, to 2⁻²⁶.
const EXP2: [f32; 6] = [LN_2, 0.240_226_5, 0.055_503_663, 0.009_618_323, 0.001_338_79, 0.000_153_767_31];

/// `(10ˣ - 1) / x` for half of the decimal logarithm of 2 at most, to 2⁻²⁶.
const EXP10: [f32; 6] = [LN_10, 2.650_949, 2.034_657_7, 1.171_261_4, 0.541_741_43, 0.207_223_45];

/// What [`LN_2`] lacks.
const LN_2_REST: f32 = -1.904_654_2e-9;
/// The first digits of the decimal logarithm of 2, and what it lacks.
const LOG10_2: (f32, f32) = (std::f32::consts::LOG10_2, -1.432_098_9e-8);

/// Beyond these, powers of e are zero or infinite.
const RANGE: (f32, f32) = (-105.0, 89.5);

/// A number as a multiple of ln 2, to which [`INTEGER`] is added, and what the power of e of the rest is more than 1.
#[inline(always)]
pub(super) fn exp_parts<R: Single>(x: R) -> (R, R) {
    let shifted = x.mul_add(LOG2_E, INTEGER);
    let turns = shifted - INTEGER;
    let rest = turns.mul_add(-LN_2_REST, turns.mul_add(-LN_2, x));
    (shifted, (rest * rest).mul_add(polynomial(rest, EXP_M1), rest))
}

/// The same for a sum.
#[inline(always)]
pub(super) fn exp_parts_of_pair<R: Single>(Pair(x, less): Pair<R>) -> (R, R) {
    let shifted = x.mul_add(LOG2_E, INTEGER);
    let turns = shifted - INTEGER;
    let rest = turns.mul_add(-LN_2_REST, turns.mul_add(-LN_2, x) + less);
    (shifted, (rest * rest).mul_add(polynomial(rest, EXP_M1), rest))
}

/// `x` from `least` to `greatest`; NaN stays NaN.
#[inline(always)]
fn between<R: Single>(x: R, (least, greatest): (f32, f32)) -> R {
    let x = x.is_greater(greatest).choose(greatest, x);
    x.is_less(least).choose(least, x)
}

#[inline(always)]
pub(crate) fn exp<R: Single>(x: R) -> R {
    let (shifted, more) = exp_parts(between(x, RANGE));
    (more + 1.0).scale(shifted - INTEGER)
}

#[inline(always)]
pub(crate) fn exp2<R: Single>(x: R) -> R {
    let x = limited(x, 160.0);
    let turns = x.round_ties_even();
    let rest = x - turns;
    rest.mul_add(polynomial(rest, EXP2), 1.0).scale(turns)
}

/// 2 to the power of a sum, of which the second is less than one half, if the first is not so great that there is no such power.
#[inline(always)]
pub(super) fn exp2_of_pair<R: Single>(Pair(x, less): Pair<R>) -> R {
    let less = x.abs().is_less(160.0).choose(less, 0.0);
    let x = limited(x, 160.0);
    let turns = x.round_ties_even();
    let rest = (x - turns) + less;
    rest.mul_add(polynomial(rest, EXP2), 1.0).scale(turns)
}

#[inline(always)]
pub(crate) fn exp10<R: Single>(x: R) -> R {
    let x = limited(x, 48.0);
    let turns = x.mul_add(LOG2_10, INTEGER) - INTEGER;
    let rest = turns.mul_add(-LOG10_2.1, turns.mul_add(-LOG10_2.0, x));
    rest.mul_add(polynomial(rest, EXP10), 1.0).scale(turns)
}

/// 2⁻ⁿ of eˣ - 1.
#[inline(always)]
fn fraction_of_exp_m1<R: Single>(x: R, n: u8) -> R {
    let (shifted, more) = exp_parts(x);
    // The power of 2 that belongs to the number itself may be infinite.
    let scale = power_of_two(shifted.plus_bits(u64::from(n).wrapping_neg()));
    more.mul_add(scale, scale - 1.0 / f32::from(1_u8 << n))
}

/// So small numbers are their own hyperbolic sine and tangent, and what their power of e is more than 1.
const LEAST: f32 = 1.0 / (1_u32 << 26) as f32;

#[inline(always)]
pub(crate) fn exp_m1<R: Single>(x: R) -> R {
    let half = fraction_of_exp_m1(between(x, (-40.0, 89.0)), 1);
    x.abs().is_less(LEAST).choose(x, half + half)
}

#[inline(always)]
pub(crate) fn sinh<R: Single>(x: R) -> R {
    let size = x.abs();
    let quarter = fraction_of_exp_m1(size.is_greater(89.5).choose(89.5, size), 2);
    let half = quarter + quarter / quarter.mul_add(4.0, 1.0);
    size.is_less(LEAST).choose(x, (half + half).copysign(x))
}

#[inline(always)]
pub(crate) fn cosh<R: Single>(x: R) -> R {
    let size = x.abs();
    let (shifted, more) = exp_parts(size.is_greater(91.0).choose(91.0, size));
    let half = (more + 1.0).scale(shifted - (INTEGER + 1.0));
    half + R::from(0.25) / half
}

#[inline(always)]
pub(crate) fn tanh<R: Single>(x: R) -> R {
    let double = x.abs() * 2.0;
    let half = fraction_of_exp_m1(double.is_greater(40.0).choose(40.0, double), 1);
    double.is_less(LEAST).choose(x, (half / (half + 1.0)).copysign(x))
}
