//! Trigonometric functions.

use super::scale::INTEGER;
use crate::elementary::polynomial::short_polynomial;
use crate::elementary::real::{Single, Truth};
use std::f32::consts::{FRAC_1_PI, FRAC_2_PI, PI};

/// `(sin x - x) / x³` in x², for a right angle at most, to 2⁻²⁷ of the sine.
const SIN: [f32; 4] = [-0.166_666_6, 0.008_333_069, -0.000_198_097_7, 2.606_06e-6];

/// `(sin x - x) / x³` in x², for half of a right angle at most, to 2⁻²⁷ of the sine.
const NEAR_SIN: [f32; 3] = [-0.166_666_55, 0.008_332_188, -0.000_195_180_77];

/// `(cos x - 1 + x² / 2) / x⁴` in x², for half of a right angle at most, to 2⁻³² of the cosine.
const NEAR_COS: [f32; 3] = [0.041_666_646, -0.001_388_731, 2.443_233_8e-5];

/// `(sin πx - x · PI) / x` in x², for one half at most, to 2⁻²⁷ of the sine.
const SIN_PI: [f32; 5] = [-1.023_882_1e-7, -5.167_71, 2.550_072, -0.598_254_2, 0.077_581_75];

/// What [`PI`] lacks, in two parts.
const PI_REST: (f32, f32) = (-8.742_278e-8, -3.430_249e-15);

/// The greatest angle that is reduced here. For greater ones the number of right angles takes up so many digits that too few are left
/// for the rest.
const GREATEST: f32 = (1_u32 << 18) as f32;

/// Whether an angle is greater, so that [`sin`], [`cos`] and [`tan`] are not meant for it.
#[inline(always)]
pub(crate) fn is_great<R: Single>(angle: R) -> R::Truth {
    angle.abs().is_greater(GREATEST)
}

/// An angle less as many half turns.
#[inline(always)]
fn without_half_turns<R: Single>(angle: R, turns: R) -> R {
    let near = turns.mul_add(-PI_REST.0, turns.mul_add(-PI, angle));
    turns.mul_add(-PI_REST.1, near)
}

/// The sine of an angle of at most a right angle.
#[inline(always)]
fn sine_of<R: Single>(angle: R) -> R {
    let square = angle * angle;
    (angle * square).mul_add(short_polynomial(square, SIN), angle)
}

/// The number, negative if the integer in the last digits of another one is odd.
#[inline(always)]
fn negative_if_odd<R: Single>(value: R, shifted: R) -> R {
    value.xor_bits_of(shifted.shift_bits_up(31))
}

#[inline(always)]
pub(crate) fn sin<R: Single>(x: R) -> R {
    let shifted = x.mul_add(FRAC_1_PI, INTEGER);
    let sine = sine_of(without_half_turns(x, shifted - INTEGER));
    x.is_equal(0.0).choose(x, negative_if_odd(sine, shifted))
}

#[inline(always)]
pub(crate) fn cos<R: Single>(x: R) -> R {
    // The sine of what is a quarter of a turn more.
    let shifted = x.mul_add(FRAC_1_PI, 0.5) + INTEGER;
    let sine = sine_of(without_half_turns(x, shifted - INTEGER - 0.5));
    negative_if_odd(sine, shifted)
}

/// A number that has in its last bits how many right angles an angle is, and the rest.
#[inline(always)]
fn reduced<R: Single>(angle: R) -> (R, R) {
    let shifted = angle.mul_add(FRAC_2_PI, INTEGER);
    (shifted, without_half_turns(angle, (shifted - INTEGER) * 0.5))
}

/// The sine and cosine of an angle of at most half of a right angle.
#[inline(always)]
fn sine_cosine<R: Single>(angle: R) -> (R, R) {
    let square = angle * angle;
    let sine = (angle * square).mul_add(short_polynomial(square, NEAR_SIN), angle);
    let cosine = (square * square).mul_add(short_polynomial(square, NEAR_COS), square.mul_add(-0.5, 1.0));
    (sine, cosine)
}

#[inline(always)]
pub(crate) fn tan<R: Single>(x: R) -> R {
    let (turns, rest) = reduced(x);
    let (sine, cosine) = sine_cosine(rest);
    let is_odd = turns.has_bits(1);
    let tangent = is_odd.choose(cosine, sine) / is_odd.choose(sine, cosine);
    x.is_equal(0.0).choose(x, negative_if_odd(tangent, turns))
}

/// The sine of an angle in half turns, of which there are at most one half.
#[inline(always)]
fn sine_of_half_turns<R: Single>(angle: R) -> R {
    angle.mul_add(PI, angle * short_polynomial(angle * angle, SIN_PI))
}

#[inline(always)]
pub(crate) fn sin_pi<R: Single>(x: R) -> R {
    // What is left of an even number of half turns has no influence. NaN and infinite numbers become NaN.
    let x_left = x - (x * 0.5).round_ties_even() * 2.0;
    let shifted = x_left + INTEGER;
    let sine = sine_of_half_turns(x_left - (shifted - INTEGER));
    // At integers the sign is that of the angle.
    sine.is_equal(0.0).choose(R::from(0.0).copysign(x), negative_if_odd(sine, shifted))
}

#[inline(always)]
pub(crate) fn cos_pi<R: Single>(x: R) -> R {
    // The sine of what is half of a half turn less than a size from 0 to 1.
    let size = (x - (x * 0.5).round_ties_even() * 2.0).abs();
    // There is no negative zero.
    sine_of_half_turns(R::from(0.5) - size) + 0.0
}

#[inline(always)]
pub(crate) fn tan_pi<R: Single>(x: R) -> R {
    let x_left = x - (x * 0.5).round_ties_even() * 2.0;
    let shifted = x_left.mul_add(2.0, INTEGER);
    let rest = (shifted - INTEGER).mul_add(-0.5, x_left);
    let (sine, cosine) = (sine_of_half_turns(rest), sine_of_half_turns(R::from(0.5) - rest.abs()));
    let is_odd = shifted.has_bits(1);
    let tangent = negative_if_odd(is_odd.choose(cosine, sine) / is_odd.choose(sine, cosine), shifted);
    // At multiples of one half, the sign of a zero is that of the angle after an even number, and that of infinity is positive.
    let zero = R::from(0.0).copysign(x);
    let special = is_odd.choose(f32::INFINITY, zero);
    let special = shifted.has_bits(2).choose(-special, special);
    rest.is_equal(0.0).choose(special, tangent)
}
