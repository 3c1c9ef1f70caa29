//! The inverse trigonometric functions.

use crate::elementary::polynomial::polynomial;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};

/// `(atan x / x - 1) / x²` in x², for [`TAN_FRAC_PI_8`] at most, to 2⁻³⁸.
const ATAN: [f64; 7] = [
    -0.333_333_333_315_518_57,
    0.199_999_989_623_943_33,
    -0.142_856_154_811_673_7,
    0.111_075_666_664_059_23,
    -0.090_297_621_811_927_69,
    0.071_392_306_021_759_36,
    -0.040_505_661_508_026_106,
];

/// `(asin x / x - 1) / x²` in x², for one half at most, to 2⁻⁴².
const ASIN: [f64; 9] = [
    0.166_666_666_667_519,
    0.074_999_999_464_153_62,
    0.044_642_912_546_171_87,
    0.030_379_745_329_247_94,
    0.022_415_644_638_520_672,
    0.016_874_427_513_120_172,
    0.017_001_018_109_247_652,
    0.000_722_309_200_324_730_2,
    0.028_699_993_266_232_633,
];

/// The tangent of half of half of a right angle.
const TAN_FRAC_PI_8: f64 = SQRT_2 - 1.0;

/// The angle between a direction and the horizontal, to the left or to the right; neither size is negative or NaN.
#[inline(always)]
fn angle_of(height: f64, width: f64, is_left: bool) -> f64 {
    let is_steep = height > width;
    let (less, more) = if is_steep { (width, height) } else { (height, width) };
    // Two zeros are horizontal, two infinite numbers are a diagonal.
    let less = if more == f64::INFINITY { f64::from(less == f64::INFINITY) } else { less };
    let more = if more == f64::INFINITY || more == 0.0 { 1.0 } else { more };
    // From half of half of a right angle on, how much it is more or less than half of one.
    let is_wide = less > TAN_FRAC_PI_8 * more;
    let ratio = (if is_wide { less - more } else { less }) / (if is_wide { more + less } else { more });
    let square = ratio * ratio;
    let angle = (ratio * square).mul_add(polynomial(square, ATAN), ratio);
    let angle = if is_wide { FRAC_PI_4 + angle } else { angle };
    let angle = if is_steep { FRAC_PI_2 - angle } else { angle };
    if is_left { PI - angle } else { angle }
}

/// The arc tangent.
#[inline(always)]
fn atan_wide(x: f64) -> f64 {
    let angle = angle_of(x.abs(), 1.0, false).copysign(x);
    if x.is_nan() { x } else { angle }
}

/// The angle of the point (x, y).
#[inline(always)]
fn atan2_wide(y: f64, x: f64) -> f64 {
    let angle = angle_of(y.abs(), x.abs(), x.is_sign_negative()).copysign(y);
    if x.is_nan() || y.is_nan() { f64::NAN } else { angle }
}

/// The arc sine of a size, and whether it lacks from a right angle.
#[inline(always)]
fn arc_sine(size: f64) -> (f64, bool) {
    let is_great = size > 0.5;
    // From one half on, by the sine of half of the angle that lacks.
    let square = if is_great { 0.5 - 0.5 * size } else { size * size };
    let sine = if is_great { square.sqrt() } else { size };
    let angle = (sine * square).mul_add(polynomial(square, ASIN), sine);
    (if is_great { angle + angle } else { angle }, is_great)
}

/// The arc sine.
#[inline(always)]
fn asin_wide(x: f64) -> f64 {
    let (angle, lacks) = arc_sine(x.abs());
    (if lacks { FRAC_PI_2 - angle } else { angle }).copysign(x)
}

/// The arc cosine.
#[inline(always)]
fn acos_wide(x: f64) -> f64 {
    let (angle, lacks) = arc_sine(x.abs());
    let is_negative = x < 0.0;
    let near = if is_negative { PI - angle } else { angle };
    let far = if is_negative { FRAC_PI_2 + angle } else { FRAC_PI_2 - angle };
    if lacks { near } else { far }
}

/// An angle in half turns.
#[inline(always)]
fn in_half_turns(angle: f64) -> f64 {
    angle * (1.0 / PI)
}

#[inline(always)]
pub(crate) fn asin(x: f32) -> f32 {
    asin_wide(x.into()) as f32
}

#[inline(always)]
pub(crate) fn acos(x: f32) -> f32 {
    acos_wide(x.into()) as f32
}

#[inline(always)]
pub(crate) fn atan(x: f32) -> f32 {
    atan_wide(x.into()) as f32
}

#[inline(always)]
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    atan2_wide(y.into(), x.into()) as f32
}

#[inline(always)]
pub(crate) fn asin_pi(x: f32) -> f32 {
    in_half_turns(asin_wide(x.into())) as f32
}

#[inline(always)]
pub(crate) fn acos_pi(x: f32) -> f32 {
    in_half_turns(acos_wide(x.into())) as f32
}

#[inline(always)]
pub(crate) fn atan_pi(x: f32) -> f32 {
    in_half_turns(atan_wide(x.into())) as f32
}

#[inline(always)]
pub(crate) fn atan2_pi(y: f32, x: f32) -> f32 {
    in_half_turns(atan2_wide(y.into(), x.into())) as f32
}
