//! Trigonometric functions.

use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Real, Truth};
use crate::elementary::scale::INTEGER;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI};

/// `(sin x / x - 1) / x²` in x², for half of a right angle at most, to 2⁻³⁵.
const SIN: [f64; 4] = [
    -0.166_666_666_637_892_73,
    0.008_333_331_848_558_976,
    -0.000_198_400_724_715_783_15,
    2.724_806_651_096_725_5e-6,
];

/// `(cos x - 1 + x² / 2) / x⁴` in x², for half of a right angle at most, to 2⁻³⁹.
const COS: [f64; 4] = [
    0.041_666_666_664_265_425,
    -0.001_388_888_764_999_284_2,
    2.480_058_838_704_065_5e-5,
    -2.729_939_820_377_399e-7,
];

/// What [`FRAC_PI_2`] lacks.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// The greatest angle that is reduced here. For greater ones the number of right angles takes up so many digits that too few are left
/// for the rest.
const GREATEST: f64 = (1_u32 << 30) as f64;

/// Whether an angle is greater, so that [`sin`], [`cos`] and [`tan`] are not meant for it.
#[inline(always)]
pub(crate) fn is_great<R: Real>(angle: R) -> R::Truth {
    angle.abs().is_greater(GREATEST)
}

/// The sine and cosine of an angle of at most half of a right angle.
#[inline(always)]
fn sine_cosine<R: Real>(angle: R) -> (R, R) {
    let square = angle * angle;
    let sine = (angle * square).mul_add(polynomial(square, SIN), angle);
    let cosine = (square * square).mul_add(polynomial(square, COS), square.mul_add(-0.5, 1.0));
    (sine, cosine)
}

/// A number that has in its last bits how many right angles an angle is, and the rest.
#[inline(always)]
fn reduced<R: Real>(angle: R) -> (R, R) {
    let shifted = angle.mul_add(FRAC_2_PI, INTEGER);
    let turns = shifted - INTEGER;
    let rest = turns.mul_add(-FRAC_PI_2_REST, turns.mul_add(-FRAC_PI_2, angle));
    (shifted, rest)
}

/// The same for an angle in half turns.
#[inline(always)]
fn reduced_half_turns<R: Real>(angle: R) -> (R, R) {
    // What is left of an even number of half turns has no influence. NaN and infinite numbers become NaN.
    let angle = angle - (angle * 0.5).round_ties_even() * 2.0;
    let shifted = angle.mul_add(2.0, INTEGER);
    let turns = shifted - INTEGER;
    (shifted, turns.mul_add(-0.5, angle) * PI)
}

/// The sine of an angle that is reduced.
#[inline(always)]
fn sine_of<R: Real>((turns, rest): (R, R)) -> R {
    let (sine, cosine) = sine_cosine(rest);
    let value = turns.has_bits(1).choose(cosine, sine);
    turns.has_bits(2).choose(-value, value)
}

/// The cosine of an angle that is reduced.
#[inline(always)]
fn cosine_of<R: Real>((turns, rest): (R, R)) -> R {
    sine_of((turns.plus_bits(1), rest))
}

/// The tangent of an angle that is reduced.
#[inline(always)]
fn tangent_of<R: Real>((turns, rest): (R, R)) -> R {
    let (sine, cosine) = sine_cosine(rest);
    let is_odd = turns.has_bits(1);
    is_odd.choose(-cosine, sine) / is_odd.choose(sine, cosine)
}

#[inline(always)]
pub(crate) fn sin<R: Real>(x: R) -> R {
    x.is_equal(0.0).choose(x, sine_of(reduced(x)))
}

#[inline(always)]
pub(crate) fn cos<R: Real>(x: R) -> R {
    cosine_of(reduced(x))
}

#[inline(always)]
pub(crate) fn tan<R: Real>(x: R) -> R {
    x.is_equal(0.0).choose(x, tangent_of(reduced(x)))
}

#[inline(always)]
pub(crate) fn sin_pi<R: Real>(x: R) -> R {
    let sine = sine_of(reduced_half_turns(x));
    // At integers the sign is that of the angle.
    sine.is_equal(0.0).choose(R::from(0.0).copysign(x), sine)
}

#[inline(always)]
pub(crate) fn cos_pi<R: Real>(x: R) -> R {
    // There is no negative zero.
    cosine_of(reduced_half_turns(x)) + 0.0
}

#[inline(always)]
pub(crate) fn tan_pi<R: Real>(x: R) -> R {
    let (turns, rest) = reduced_half_turns(x);
    // At multiples of one half, the sign of a zero is that of the angle after an even number, and that of infinity is positive.
    let zero = R::from(0.0).copysign(x);
    let special = turns.has_bits(1).choose(f64::INFINITY, zero);
    let special = turns.has_bits(2).choose(-special, special);
    rest.is_equal(0.0).choose(special, tangent_of((turns, rest)))
}
