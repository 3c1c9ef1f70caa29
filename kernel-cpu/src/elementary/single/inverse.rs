//! The inverse trigonometric functions.

use crate::elementary::polynomial::{polynomial, short_polynomial};
use crate::elementary::real::{Single, Truth};
use std::f32::consts::{FRAC_1_PI, FRAC_PI_2, PI};

/// `(atan x - x) / x³` in x², for 1 at most, to 2⁻²⁵ of the arc tangent.
const ATAN: [f32; 8] = [
    -0.333_331_53,
    0.199_937_69,
    -0.142_110_23,
    0.106_658_8,
    -0.075_519_52,
    0.043_208_76,
    -0.016_366_003,
    0.002_920_203_4,
];

/// `(asin x - x) / x³` in x², for one half at most, to 2⁻²⁷ of the arc sine.
const ASIN: [f32; 5] = [0.166_667_52, 0.074_953_1, 0.045_469_02, 0.024_185_503, 0.042_157_013];

/// What [`FRAC_PI_2`] lacks.
const FRAC_PI_2_REST: f32 = -4.371_139e-8;

/// What an angle lacks from a right angle.
#[inline(always)]
fn complement<R: Single>(angle: R) -> R {
    R::from(FRAC_PI_2) - (angle - FRAC_PI_2_REST)
}

/// What an angle lacks from two right angles.
#[inline(always)]
fn supplement<R: Single>(angle: R) -> R {
    R::from(PI) - (angle - 2.0 * FRAC_PI_2_REST)
}

/// The arc tangent of a ratio from 0 to 1, or what it lacks from a right angle.
#[inline(always)]
fn angle_of<R: Single>(ratio: R, is_steep: R::Truth) -> R {
    let square = ratio * ratio;
    let angle = (ratio * square).mul_add(polynomial(square, ATAN), ratio);
    is_steep.choose(complement(angle), angle)
}

#[inline(always)]
pub(crate) fn atan<R: Single>(x: R) -> R {
    let size = x.abs();
    let is_steep = size.is_greater(1.0);
    let ratio = is_steep.choose(R::from(1.0) / size, size);
    angle_of(ratio, is_steep).copysign(x)
}

#[inline(always)]
pub(crate) fn atan2<R: Single>(y: R, x: R) -> R {
    let (height, width) = (y.abs(), x.abs());
    let is_steep = height.is_greater(width);
    let (less, more) = (is_steep.choose(width, height), is_steep.choose(height, width));
    // Two zeros are horizontal, two infinite numbers are a diagonal.
    let ratio = more.is_equal(0.0).choose(more, less / more);
    let ratio = less.is_equal(f32::INFINITY).choose(1.0, ratio);
    let angle = angle_of(ratio, is_steep);
    let angle = x.is_sign_negative().choose(supplement(angle), angle).copysign(y);
    (x.is_nan() | y.is_nan()).choose(f32::NAN, angle)
}

/// The arc sine of a size, or half of what it lacks from a right angle.
#[inline(always)]
fn arc_sine<R: Single>(size: R) -> (R, R::Truth) {
    let is_great = size.is_greater(0.5);
    // From one half on, by the sine of half of the angle that lacks.
    let square = is_great.choose(size.mul_add(-0.5, 0.5), size * size);
    let sine = is_great.choose(square.sqrt(), size);
    ((sine * square).mul_add(short_polynomial(square, ASIN), sine), is_great)
}

#[inline(always)]
pub(crate) fn asin<R: Single>(x: R) -> R {
    let (angle, is_half) = arc_sine(x.abs());
    is_half.choose(complement(angle + angle), angle).copysign(x)
}

#[inline(always)]
pub(crate) fn acos<R: Single>(x: R) -> R {
    let (angle, is_half) = arc_sine(x.abs());
    let double = angle + angle;
    let near = x.is_less(0.0).choose(supplement(double), double);
    is_half.choose(near, complement(angle.copysign(x)))
}

#[inline(always)]
pub(crate) fn asin_pi<R: Single>(x: R) -> R {
    asin(x) * FRAC_1_PI
}

#[inline(always)]
pub(crate) fn acos_pi<R: Single>(x: R) -> R {
    acos(x) * FRAC_1_PI
}

#[inline(always)]
pub(crate) fn atan_pi<R: Single>(x: R) -> R {
    atan(x) * FRAC_1_PI
}

#[inline(always)]
pub(crate) fn atan2_pi<R: Single>(y: R, x: R) -> R {
    atan2(y, x) * FRAC_1_PI
}
