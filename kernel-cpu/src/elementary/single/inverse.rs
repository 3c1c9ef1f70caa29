//! The inverse trigonometric functions.

use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Real, Truth};
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
fn angle_of<R: Real>(height: R, width: R, is_left: R::Truth) -> R {
    let is_steep = height.is_greater(width);
    let (less, more) = (is_steep.choose(width, height), is_steep.choose(height, width));
    // Two zeros are horizontal, two infinite numbers are a diagonal.
    let is_infinite = more.is_equal(f64::INFINITY);
    let less = is_infinite.choose(less.is_equal(f64::INFINITY).choose(1.0, 0.0), less);
    let more = (is_infinite | more.is_equal(0.0)).choose(1.0, more);
    // From half of half of a right angle on, how much it is more or less than half of one.
    let is_wide = less.is_greater(more * TAN_FRAC_PI_8);
    let ratio = is_wide.choose(less - more, less) / is_wide.choose(more + less, more);
    let square = ratio * ratio;
    let angle = (ratio * square).mul_add(polynomial(square, ATAN), ratio);
    let angle = is_wide.choose(angle + FRAC_PI_4, angle);
    let angle = is_steep.choose(R::from(FRAC_PI_2) - angle, angle);
    is_left.choose(R::from(PI) - angle, angle)
}

#[inline(always)]
pub(crate) fn atan<R: Real>(x: R) -> R {
    let angle = angle_of(x.abs(), 1.0.into(), false.into()).copysign(x);
    x.is_nan().choose(x, angle)
}

#[inline(always)]
pub(crate) fn atan2<R: Real>(y: R, x: R) -> R {
    let angle = angle_of(y.abs(), x.abs(), x.is_sign_negative()).copysign(y);
    (x.is_nan() | y.is_nan()).choose(f64::NAN, angle)
}

/// The arc sine of a size, and whether it lacks from a right angle.
#[inline(always)]
fn arc_sine<R: Real>(size: R) -> (R, R::Truth) {
    let is_great = size.is_greater(0.5);
    // From one half on, by the sine of half of the angle that lacks.
    let square = is_great.choose(size.mul_add(-0.5, 0.5), size * size);
    let sine = is_great.choose(square.sqrt(), size);
    let angle = (sine * square).mul_add(polynomial(square, ASIN), sine);
    (is_great.choose(angle + angle, angle), is_great)
}

#[inline(always)]
pub(crate) fn asin<R: Real>(x: R) -> R {
    let (angle, lacks) = arc_sine(x.abs());
    lacks.choose(R::from(FRAC_PI_2) - angle, angle).copysign(x)
}

#[inline(always)]
pub(crate) fn acos<R: Real>(x: R) -> R {
    let (angle, lacks) = arc_sine(x.abs());
    let is_negative = x.is_less(0.0);
    let near = is_negative.choose(R::from(PI) - angle, angle);
    let far = is_negative.choose(angle + FRAC_PI_2, R::from(FRAC_PI_2) - angle);
    lacks.choose(near, far)
}

/// An angle in half turns.
#[inline(always)]
fn in_half_turns<R: Real>(angle: R) -> R {
    angle * (1.0 / PI)
}

#[inline(always)]
pub(crate) fn asin_pi<R: Real>(x: R) -> R {
    in_half_turns(asin(x))
}

#[inline(always)]
pub(crate) fn acos_pi<R: Real>(x: R) -> R {
    in_half_turns(acos(x))
}

#[inline(always)]
pub(crate) fn atan_pi<R: Real>(x: R) -> R {
    in_half_turns(atan(x))
}

#[inline(always)]
pub(crate) fn atan2_pi<R: Real>(y: R, x: R) -> R {
    in_half_turns(atan2(y, x))
}
