//! Powers and roots.

use super::exponential::exp2_of_pair;
use super::scale::{INTEGER, exponent_and_factor, fraction_from_one, power_of_two};
use crate::elementary::pair::Pair;
use crate::elementary::polynomial::short_polynomial;
use crate::elementary::real::{Single, Truth};
use crate::elementary::scale::parity;

/// `(log₂((1 + x) / (1 - x)) - 2 x / ln 2) / x³` in x², for 0.172 at most, to 2⁻²⁷.
const LOG2_RATIO: [f32; 4] = [0.961_796_7, 0.577_077_45, 0.412_057_37, 0.333_596_83];

/// 2 / ln 2, and what it lacks.
const TWO_LOG2_E: (f32, f32) = (2.0 * std::f32::consts::LOG2_E, 3.851_926e-8);

/// The binary logarithm of a positive number that is not infinite, with 30 digits.
#[inline(always)]
fn log2_pair<R: Single>(x: R) -> Pair<R> {
    let (exponent, factor) = exponent_and_factor(x);
    // log₂ of a factor is 2 / ln 2 · artanh((factor - 1) / (factor + 1)).
    let (less, more) = (factor - 1.0, factor + 1.0);
    let inverse = R::from(1.0) / more;
    let ratio = less * inverse;
    let lost = (-ratio).mul_add(factor - (more - 1.0), (-ratio).mul_add(more, less)) * inverse;
    let square = ratio * ratio;
    let Pair(near, rest) = Pair::product(ratio, TWO_LOG2_E.0);
    let rest = lost.mul_add(TWO_LOG2_E.0, ratio.mul_add(TWO_LOG2_E.1, rest));
    let rest = (ratio * square).mul_add(short_polynomial(square, LOG2_RATIO), rest);
    let Pair(sum, low) = Pair::quick_sum(exponent, near);
    Pair::quick_sum(sum, low + rest)
}

/// `|x|` to the power of `y`, but for what has no limit.
#[inline(always)]
fn power_of_size<R: Single>(x: R, y: R) -> R {
    let size = x.abs();
    let Pair(high, low) = log2_pair(size);
    let high = size.is_equal(0.0).choose(f32::NEG_INFINITY, high);
    // Infinity and NaN are their own logarithm.
    let high = size.is_less(f32::INFINITY).choose(high, size);
    let Pair(product, lost) = Pair::product(high, y);
    exp2_of_pair(Pair(product, low.mul_add(y, lost)))
}

#[inline(always)]
pub(crate) fn powf<R: Single>(x: R, y: R) -> R {
    let (is_integer, is_odd) = parity(y);
    let size = power_of_size(x, y);
    let size = (x.abs().is_equal(1.0) & !y.is_nan()).choose(1.0, size);
    let has_none = x.is_less(0.0) & !x.is_equal(f32::NEG_INFINITY) & !is_integer;
    let size = has_none.choose(f32::NAN, size);
    let value = (is_odd & !size.is_nan()).choose(size.copysign(x), size);
    (x.is_equal(1.0) | y.is_equal(0.0)).choose(1.0, value)
}

#[inline(always)]
pub(crate) fn powr<R: Single>(x: R, y: R) -> R {
    // Of 0⁰, ∞⁰ and 1 to the power of ∞ the product of a zero and an infinite number is NaN.
    x.is_less(0.0).choose(f32::NAN, power_of_size(x, y))
}

/// The inverse of the cube root from 1 to 2, to 2⁻¹⁴.
const INVERSE_CBRT: [f32; 5] = [1.670_008_4, -1.172_885_2, 0.695_488_04, -0.221_240_42, 0.028_591_473];

/// The inverses of the cube roots of 2 and of 4.
const INVERSE_CBRT_2: (f32, f32) = (0.793_700_5, 0.629_960_54);

#[inline(always)]
pub(crate) fn cbrt<R: Single>(x: R) -> R {
    let size = x.abs();
    let (exponent, fraction) = fraction_from_one(size);
    // The exponent is three times that of the root, and 0, 1 or 2 more.
    let shifted = (exponent - 1.0).mul_add(1.0 / 3.0, INTEGER);
    let more = (shifted - INTEGER).mul_add(-3.0, exponent);
    let (is_one, is_two) = (more.is_equal(1.0), more.is_equal(2.0));
    let number = is_two.choose(fraction * 4.0, is_one.choose(fraction * 2.0, fraction));
    let inverse = short_polynomial(fraction, INVERSE_CBRT);
    let inverse = inverse * is_two.choose(INVERSE_CBRT_2.1, is_one.choose(INVERSE_CBRT_2.0, 1.0));
    // The root from its inverse, and a step of Newton's method.
    let square = inverse * inverse;
    let root = number * square;
    let root = (root * root).mul_add(root, -number).mul_add(square * (-1.0 / 3.0), root);
    let value = (root * power_of_two(shifted)).copysign(x);
    (size.is_greater(0.0) & size.is_less(f32::INFINITY)).choose(value, x)
}

#[inline(always)]
pub(crate) fn hypot<R: Single>(x: R, y: R) -> R {
    /// The bits of the exponent.
    const EXPONENT: u64 = 0x7f80_0000;
    /// Less than so much is multiplied by no more than is needed for its square.
    const LEAST: f32 = f32::from_bits(27 << 23);
    let (x, y) = (x.abs(), y.abs());
    let more = x.is_greater(y).choose(x, y);
    let more = more.is_less(LEAST).choose(LEAST, more);
    // A power of 2 that makes the greater one about 2 or 4, and half of its inverse.
    let unit = more.and_bits(EXPONENT);
    let scale = unit.xor_bits(EXPONENT);
    let (own, other) = (x * scale, y * scale);
    let value = own.mul_add(own, other * other).sqrt() * 0.5 * unit;
    (x.is_equal(f32::INFINITY) | y.is_equal(f32::INFINITY)).choose(f32::INFINITY, value)
}
