//! Exponential and hyperbolic functions.

use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Double, Truth};
use crate::elementary::scale::{limited, power_of_two};
use std::f64::consts::{LN_2, LOG2_10, LOG2_E};

/// `(eˣ - 1 - x - x² / 2) / x³` for half of ln 2 at most, to 2⁻⁵⁹ of `eˣ - 1`.
const EXP: [f64; 10] = [
    0.166_666_666_666_666_69,
    0.041_666_666_666_666_67,
    0.008_333_333_333_328_839,
    0.001_388_888_888_888_170_1,
    0.000_198_412_698_668_439_02,
    2.480_158_733_212_820_3e-5,
    2.755_726_411_613_922_6e-6,
    2.755_726_605_707_921_4e-7,
    2.510_204_292_926_733e-8,
    2.091_756_228_637_494e-9,
];

/// The first 32 digits of ln 2, so that its product with an exponent is exact, and what it lacks.
const LN_2_PARTS: (f64, f64) = (0.693_147_180_559_208_2, 7.371_002_565_167_799e-13);
/// What the constant lacks.
const LN_2_REST: f64 = 2.319_046_813_846_299_6e-17;
/// The first digits of the decimal logarithm of 2, and what it lacks.
const LOG10_2_PARTS: (f64, f64) = (0.301_029_995_663_611_77, 3.694_239_077_158_931e-13);
const LN_10_PARTS: Pair<f64> = Pair(std::f64::consts::LN_10, -2.170_756_223_382_249_4e-16);

/// 2 to the power of -60: below, `eˣ - 1` and the functions that are made of it are their argument.
const LEAST: f64 = f64::from_bits((1023 - 60) << 52);

/// Beyond, powers of e are infinite or zero.
const GREATEST: f64 = 760.0;

/// `value` times 2 to the power of `exponent`, an integer of at most 2,000.
#[inline(always)]
fn scaled<R: Double>(value: R, exponent: R) -> R {
    // In two steps, since neither has to be in range by itself.
    let half = (exponent * 0.5).round_ties_even();
    value * power_of_two(half) * power_of_two(exponent - half)
}

/// What the power of e of a number of at most half of ln 2 is more than 1.
#[inline(always)]
fn more_than_one<R: Double>(rest: Pair<R>) -> Pair<R> {
    let square = rest.0 * rest.0;
    let tail = (square * rest.0).mul_add(polynomial(rest.0, EXP), square * 0.5);
    // The derivative is the power itself, which is nearly 1 + x.
    Pair::quick_sum(rest.0, rest.1.mul_add(rest.0, rest.1) + tail)
}

/// A number as a multiple of ln 2 and a rest.
#[inline(always)]
fn reduced<R: Double>(x: R) -> (R, Pair<R>) {
    let turns = (x * LOG2_E).round_ties_even();
    let near = turns.mul_add(-LN_2_PARTS.0, x);
    (turns, Pair::quick_sum(near, turns * -LN_2_PARTS.1))
}

/// 2 to the power of `exponent` times the power of e of a number of which [`more_than_one`] is this.
#[inline(always)]
fn power<R: Double>(more: Pair<R>, exponent: R) -> R {
    let Pair(high, low) = Pair::quick_sum(R::from(1.0), more.0);
    scaled(high + (low + more.1), exponent)
}

/// The power of e of a number, times 2 to the power of `exponent`.
#[inline(always)]
pub(super) fn exp_scaled<R: Double>(x: Pair<R>, exponent: R) -> R {
    let (turns, rest) = reduced(limited(x.0, GREATEST));
    power(more_than_one(Pair::quick_sum(rest.0, rest.1 + x.1)), turns + exponent)
}

#[inline(always)]
pub(crate) fn exp<R: Double>(x: R) -> R {
    exp_scaled(Pair(x, 0.0.into()), 0.0.into())
}

#[inline(always)]
pub(crate) fn exp2<R: Double>(x: R) -> R {
    let x = limited(x, 1100.0);
    let turns = x.round_ties_even();
    let rest = x - turns;
    let Pair(near, lost) = Pair::product(rest, LN_2);
    power(more_than_one(Pair(near, rest.mul_add(LN_2_REST, lost))), turns)
}

#[inline(always)]
pub(crate) fn exp10<R: Double>(x: R) -> R {
    let x = limited(x, 330.0);
    let turns = (x * LOG2_10).round_ties_even();
    let near = turns.mul_add(-LOG10_2_PARTS.0, x);
    let rest = Pair::quick_sum(near, turns * -LOG10_2_PARTS.1).multiply(Pair::of(LN_10_PARTS));
    power(more_than_one(rest), turns)
}

/// eˣ - 1 as a sum, for less than 710.
#[inline(always)]
fn exp_m1_pair<R: Double>(x: R) -> Pair<R> {
    let (turns, rest) = reduced(x);
    let more = more_than_one(rest);
    // Half of it, since 2 to the power of 1024 is infinite.
    let half = power_of_two(limited(turns - 1.0, 1023.0));
    let Pair(high, low) = Pair::sum(half - 0.5, half * more.0);
    let low = half.mul_add(more.1, low);
    let Pair(high, low) = Pair::quick_sum(high, low);
    Pair(high + high, low + low)
}

#[inline(always)]
pub(crate) fn exp_m1<R: Double>(x: R) -> R {
    let value = exp_m1_pair(limited(x, 720.0)).value();
    let value = x.is_greater(709.8).choose(f64::INFINITY, value);
    let value = x.is_less(-50.0).choose(-1.0, value);
    // Next to zero, the function is its argument, of which half may have fewer digits.
    x.abs().is_less(LEAST).choose(x, value)
}

#[inline(always)]
pub(crate) fn sinh<R: Double>(x: R) -> R {
    let size = x.abs();
    let is_great = size.is_greater(40.0);
    let more = exp_m1_pair(is_great.choose(40.0, size));
    let Pair(high, low) = Pair::sum(1.0, more.0);
    let other = more.0 / high;
    let other_low = ((-other).mul_add(high, more.0) + more.1 - other * (low + more.1)) / high;
    let near = (more.0 + other + (more.1 + other_low + ((more.0 - (more.0 + other)) + other))) * 0.5;
    let far = exp_scaled(Pair(size, 0.0.into()), R::from(-1.0));
    let value = is_great.choose(far, near);
    size.is_less(LEAST).choose(size, value).copysign(x)
}

#[inline(always)]
pub(crate) fn cosh<R: Double>(x: R) -> R {
    let half = exp_scaled(Pair(x.abs(), 0.0.into()), R::from(-1.0));
    half + R::from(0.25) / half
}

#[inline(always)]
pub(crate) fn tanh<R: Double>(x: R) -> R {
    let size = x.abs();
    let is_great = size.is_greater(20.0);
    let more = exp_m1_pair(is_great.choose(20.0, size) * 2.0);
    let Pair(high, low) = Pair::sum(2.0, more.0);
    let value = more.0 / high;
    let lost = ((-value).mul_add(high, more.0) + more.1 - value * (low + more.1)) / high;
    let value = is_great.choose(1.0, value + lost);
    size.is_less(LEAST).choose(size, value).copysign(x)
}
