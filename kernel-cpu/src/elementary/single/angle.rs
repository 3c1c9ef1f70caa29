//! Trigonometric functions.

use crate::elementary::polynomial::polynomial;
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
const GREATEST: f32 = (1_u32 << 30) as f32;

/// Whether an angle is greater, so that [`sin`], [`cos`] and [`tan`] are not meant for it.
#[inline(always)]
pub(crate) fn is_great(angle: f32) -> bool {
    angle.abs() > GREATEST
}

/// The sine and cosine of an angle of at most half of a right angle.
#[inline(always)]
fn sine_cosine(angle: f64) -> (f64, f64) {
    let square = angle * angle;
    let sine = (angle * square).mul_add(polynomial(square, SIN), angle);
    let cosine = (square * square).mul_add(polynomial(square, COS), square.mul_add(-0.5, 1.0));
    (sine, cosine)
}

/// The number of right angles in an angle, modulo 4, and the rest.
#[inline(always)]
fn reduced(angle: f32) -> (u32, f64) {
    let angle = f64::from(angle);
    let shifted = angle.mul_add(FRAC_2_PI, INTEGER);
    let turns = shifted - INTEGER;
    let rest = turns.mul_add(-FRAC_PI_2_REST, turns.mul_add(-FRAC_PI_2, angle));
    (shifted.to_bits() as u32, rest)
}

/// The same for an angle in half turns.
#[inline(always)]
fn reduced_half_turns(angle: f32) -> (u32, f64) {
    // What is left of an even number of half turns has no influence. NaN and infinite numbers become NaN.
    let angle = f64::from(angle);
    let angle = angle - 2.0 * (0.5 * angle).round_ties_even();
    let shifted = angle.mul_add(2.0, INTEGER);
    let turns = shifted - INTEGER;
    (shifted.to_bits() as u32, PI * turns.mul_add(-0.5, angle))
}

/// The sine of an angle that is reduced.
#[inline(always)]
fn sine_of((turns, rest): (u32, f64)) -> f64 {
    let (sine, cosine) = sine_cosine(rest);
    let value = if turns & 1 == 0 { sine } else { cosine };
    if turns & 2 == 0 { value } else { -value }
}

/// The cosine of an angle that is reduced.
#[inline(always)]
fn cosine_of((turns, rest): (u32, f64)) -> f64 {
    sine_of((turns.wrapping_add(1), rest))
}

/// The tangent of an angle that is reduced.
#[inline(always)]
fn tangent_of((turns, rest): (u32, f64)) -> f64 {
    let (sine, cosine) = sine_cosine(rest);
    let (above, below) = if turns & 1 == 0 { (sine, cosine) } else { (-cosine, sine) };
    above / below
}

#[inline(always)]
pub(crate) fn sin(x: f32) -> f32 {
    if x == 0.0 { x } else { sine_of(reduced(x)) as f32 }
}

#[inline(always)]
pub(crate) fn cos(x: f32) -> f32 {
    cosine_of(reduced(x)) as f32
}

#[inline(always)]
pub(crate) fn tan(x: f32) -> f32 {
    if x == 0.0 { x } else { tangent_of(reduced(x)) as f32 }
}

#[inline(always)]
pub(crate) fn sin_pi(x: f32) -> f32 {
    let sine = sine_of(reduced_half_turns(x)) as f32;
    // At integers the sign is that of the angle.
    if sine == 0.0 { 0.0_f32.copysign(x) } else { sine }
}

#[inline(always)]
pub(crate) fn cos_pi(x: f32) -> f32 {
    // There is no negative zero.
    cosine_of(reduced_half_turns(x)) as f32 + 0.0
}

#[inline(always)]
pub(crate) fn tan_pi(x: f32) -> f32 {
    let (turns, rest) = reduced_half_turns(x);
    let is_odd = turns & 1 != 0;
    // At multiples of one half, the sign of a zero is that of the angle after an even number, and that of infinity is positive.
    let zero = 0.0_f32.copysign(x);
    let special = if is_odd { f32::INFINITY } else { zero };
    let special = if turns & 2 == 0 { special } else { -special };
    if rest == 0.0 { special } else { tangent_of((turns, rest)) as f32 }
}
