//! Trigonometric functions.

use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Double, Truth};
use crate::elementary::scale::INTEGER;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI};

/// `(sin x / x - 1) / x²` in x², for half of a right angle at most, to 2⁻⁶⁰.
const SIN: [f64; 7] = [
    -0.166_666_666_666_666_66,
    0.008_333_333_333_332_915,
    -0.000_198_412_698_407_287_16,
    2.755_731_892_315_165_5e-6,
    -2.505_202_671_418_029e-8,
    1.604_828_376_802_417e-10,
    -7.078_724_718_057_348e-13,
];

/// `(cos x - 1 + x² / 2) / x⁴` in x², for half of a right angle at most, to 2⁻⁶⁰.
const COS: [f64; 6] = [
    0.041_666_666_666_666_664,
    -0.001_388_888_888_888_703_3,
    2.480_158_729_840_91e-5,
    -2.755_731_712_987_772e-7,
    2.087_612_169_894_169_6e-9,
    -1.138_109_160_632_796_3e-11,
];

/// What [`FRAC_PI_2`] lacks, in two parts.
const FRAC_PI_2_REST: (f64, f64) = (6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33);

/// What [`PI`] lacks.
const PI_REST: f64 = 1.224_646_799_147_353_2e-16;

/// The greatest angle that is reduced here. For greater ones the number of right angles takes up so many digits that too few are left
/// for the rest.
pub(crate) const GREATEST: f64 = (1_u32 << 26) as f64;

/// Whether an angle is greater, so that [`sin`], [`cos`] and [`tan`] are not meant for it.
#[inline(always)]
pub(crate) fn is_great<R: Double>(angle: R) -> R::Truth {
    angle.abs().is_greater(GREATEST)
}

/// The sine and cosine of an angle of at most half of a right angle.
#[inline(always)]
fn sine_cosine<R: Double>(angle: Pair<R>) -> (Pair<R>, Pair<R>) {
    let Pair(angle, lost) = angle;
    let square = angle * angle;
    let half = square * 0.5;
    let more = (square * angle).mul_add(polynomial(square, SIN), lost * (R::from(1.0) - half));
    let sine = Pair::quick_sum(angle, more);
    let Pair(near, rest) = Pair::quick_sum(R::from(1.0), -half);
    let half_lost = (angle * 0.5).mul_add(angle, -half);
    let more = (square * square).mul_add(polynomial(square, COS), rest - half_lost - angle * lost);
    (sine, Pair::quick_sum(near, more))
}

/// A number that has in its last bits how many right angles an angle is, and the rest.
#[inline(always)]
fn reduced<R: Double>(angle: R) -> (R, Pair<R>) {
    let shifted = angle.mul_add(FRAC_2_PI, INTEGER);
    let turns = shifted - INTEGER;
    let first = Pair::product(turns, FRAC_PI_2);
    let second = Pair::product(turns, FRAC_PI_2_REST.0);
    // The first difference is exact.
    let near = Pair::sum(angle - first.0, -first.1);
    let nearer = Pair::sum(near.0, -second.0);
    let lost = near.1 + nearer.1 - second.1;
    (shifted, Pair::quick_sum(nearer.0, turns.mul_add(-FRAC_PI_2_REST.1, lost)))
}

/// The same for an angle in half turns.
#[inline(always)]
fn reduced_half_turns<R: Double>(angle: R) -> (R, Pair<R>) {
    // What is left of an even number of half turns has no influence. NaN and infinite numbers become NaN.
    let angle = angle - (angle * 0.5).round_ties_even() * 2.0;
    let shifted = angle.mul_add(2.0, INTEGER);
    let turns = shifted - INTEGER;
    let rest = turns.mul_add(-0.5, angle);
    let Pair(near, lost) = Pair::product(rest, PI);
    (shifted, Pair(near, rest.mul_add(PI_REST, lost)))
}

/// The sine of an angle that is reduced.
#[inline(always)]
fn sine_of<R: Double>((turns, rest): (R, Pair<R>)) -> R {
    let (sine, cosine) = sine_cosine(rest);
    let value = turns.has_bits(1).choose(cosine.0, sine.0);
    turns.has_bits(2).choose(-value, value)
}

/// The cosine of an angle that is reduced.
#[inline(always)]
fn cosine_of<R: Double>((turns, rest): (R, Pair<R>)) -> R {
    sine_of((turns.plus_bits(1), rest))
}

/// The tangent of an angle that is reduced.
#[inline(always)]
fn tangent_of<R: Double>((turns, rest): (R, Pair<R>)) -> R {
    let (sine, cosine) = sine_cosine(rest);
    let is_odd = turns.has_bits(1);
    let above = Pair::choose(is_odd, -cosine, sine);
    let below = Pair::choose(is_odd, sine, cosine);
    let ratio = above.0 / below.0;
    let lost = ((-ratio).mul_add(below.0, above.0) + above.1 - ratio * below.1) / below.0;
    ratio + lost
}

#[inline(always)]
pub(crate) fn sin<R: Double>(x: R) -> R {
    x.is_equal(0.0).choose(x, sine_of(reduced(x)))
}

#[inline(always)]
pub(crate) fn cos<R: Double>(x: R) -> R {
    cosine_of(reduced(x))
}

#[inline(always)]
pub(crate) fn tan<R: Double>(x: R) -> R {
    x.is_equal(0.0).choose(x, tangent_of(reduced(x)))
}

#[inline(always)]
pub(crate) fn sin_pi<R: Double>(x: R) -> R {
    let sine = sine_of(reduced_half_turns(x));
    // At integers the sign is that of the angle.
    sine.is_equal(0.0).choose(R::from(0.0).copysign(x), sine)
}

#[inline(always)]
pub(crate) fn cos_pi<R: Double>(x: R) -> R {
    // There is no negative zero.
    cosine_of(reduced_half_turns(x)) + 0.0
}

#[inline(always)]
pub(crate) fn tan_pi<R: Double>(x: R) -> R {
    let (turns, rest) = reduced_half_turns(x);
    // At multiples of one half, the sign of a zero is that of the angle after an even number, and that of infinity is positive.
    let zero = R::from(0.0).copysign(x);
    let special = turns.has_bits(1).choose(f64::INFINITY, zero);
    let special = turns.has_bits(2).choose(-special, special);
    rest.0.is_equal(0.0).choose(special, tangent_of((turns, rest)))
}
