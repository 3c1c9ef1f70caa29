//! The inverse trigonometric functions.

use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Double, Truth};
use std::f64::consts::{FRAC_1_PI, FRAC_PI_2, SQRT_2};

/// `(atan x / x - 1) / x²` in x², for [`TAN_FRAC_PI_8`] at most, to 2⁻⁶³.
const ATAN: [f64; 12] = [
    -0.333_333_333_333_333_3,
    0.199_999_999_999_989_21,
    -0.142_857_142_855_267_77,
    0.111_111_110_958_947_86,
    -0.090_909_083_951_419_2,
    0.076_922_878_981_904_96,
    -0.066_662_960_559_946_15,
    0.058_776_451_141_509_825,
    -0.052_221_096_226_255_85,
    0.045_175_289_261_606_49,
    -0.033_777_739_793_567_83,
    0.015_483_304_116_364_305,
];

/// `(asin x / x - 1) / x²` in x², for one half at most, to 2⁻⁶².
const ASIN: [f64; 14] = [
    0.166_666_666_666_666_66,
    0.075_000_000_000_005_44,
    0.044_642_857_141_921_184,
    0.030_381_944_518_873_157,
    0.022_372_155_769_686_944,
    0.017_352_856_776_872_014,
    0.013_963_141_193_378_336,
    0.011_573_388_965_234_742,
    0.009_569_679_853_312_498,
    0.009_591_917_649_533_207,
    0.002_077_302_163_228_84,
    0.021_785_662_065_206_195,
    -0.022_252_609_493_490_755,
    0.031_416_780_448_618_155,
];

/// What [`FRAC_PI_2`] lacks.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// What [`FRAC_1_PI`] lacks.
const FRAC_1_PI_REST: f64 = -1.967_867_667_518_248_6e-17;

/// The tangent of half of half of a right angle.
const TAN_FRAC_PI_8: f64 = SQRT_2 - 1.0;

/// 2 to the power of 300.
const RAISE: f64 = f64::from_bits((1023 + 300) << 52);

/// So many right angles, and an angle of which the sign is changed if `is_back`.
#[inline(always)]
fn right_angles_and<R: Double>(times: R, angle: Pair<R>, is_back: R::Truth) -> Pair<R> {
    let Pair(whole, lost) = Pair::product(times, FRAC_PI_2);
    let angle = Pair::choose(is_back, -angle, angle);
    let Pair(high, low) = Pair::sum(whole, angle.0);
    Pair(high, low + times.mul_add(FRAC_PI_2_REST, lost) + angle.1)
}

/// The angle between a direction and the horizontal, to the left or to the right; neither size is negative or NaN.
#[inline(always)]
fn angle_of<R: Double>(height: R, width: R, is_left: R::Truth) -> Pair<R> {
    let is_steep = height.is_greater(width);
    let (less, more) = (is_steep.choose(width, height), is_steep.choose(height, width));
    // Two zeros are horizontal, two infinite numbers are a diagonal.
    let is_infinite = more.is_equal(f64::INFINITY);
    let less = is_infinite.choose(less.is_equal(f64::INFINITY).choose(1.0, 0.0), less);
    let more = (is_infinite | more.is_equal(0.0)).choose(1.0, more);
    // The rest of a division is exact where it is neither subnormal nor infinite.
    let scale = more.is_less(1e-200).choose(RAISE, 1.0);
    let scale = more.is_greater(1e200).choose(1.0 / RAISE, scale);
    let (less, more) = (less * scale, more * scale);
    // From half of half of a right angle on, how much it is more or less than half of one.
    let is_wide = less.is_greater(more * TAN_FRAC_PI_8);
    let above = Pair::choose(is_wide, Pair::sum(less, -more), Pair(less, 0.0.into()));
    let below = Pair::choose(is_wide, Pair::sum(more, less), Pair(more, 0.0.into()));
    let ratio = above.0 / below.0;
    let lost = ((-ratio).mul_add(below.0, above.0) + above.1 - ratio * below.1) / below.0;
    let square = ratio * ratio;
    // The derivative is nearly `1 - x²`.
    let more = (ratio * square).mul_add(polynomial(square, ATAN), square.mul_add(-lost, lost));
    let angle = Pair::quick_sum(ratio, more);
    let times: R = is_wide.choose(0.5, 0.0);
    let times = is_steep.choose(R::from(1.0) - times, times);
    let times = is_left.choose(R::from(2.0) - times, times);
    right_angles_and(times, angle, (is_steep & !is_left) | (is_left & !is_steep))
}

/// The size of the arc tangent.
#[inline(always)]
fn atan_pair<R: Double>(x: R) -> Pair<R> {
    let angle = angle_of(x.abs(), 1.0.into(), false.into());
    Pair::choose(x.is_nan(), Pair(x, 0.0.into()), angle)
}

/// The size of the angle of the point (x, y).
#[inline(always)]
fn atan2_pair<R: Double>(y: R, x: R) -> Pair<R> {
    let angle = angle_of(y.abs(), x.abs(), x.is_sign_negative());
    Pair::choose(x.is_nan() | y.is_nan(), Pair(f64::NAN.into(), 0.0.into()), angle)
}

/// The arc sine of a size, and whether it lacks from a right angle.
#[inline(always)]
fn arc_sine<R: Double>(size: R) -> (Pair<R>, R::Truth) {
    let is_great = size.is_greater(0.5);
    // From one half on, by the sine of half of the angle that lacks.
    let square = is_great.choose(size.mul_add(-0.5, 0.5), size * size);
    let sine = is_great.choose(square.sqrt(), size);
    let lost = (-sine).mul_add(sine, square) / (sine + sine);
    let lost = (is_great & sine.is_greater(0.0)).choose(lost, 0.0);
    let angle = Pair::quick_sum(sine, (sine * square).mul_add(polynomial(square, ASIN), lost));
    (Pair::choose(is_great, Pair(angle.0 + angle.0, angle.1 + angle.1), angle), is_great)
}

/// The size of the arc sine.
#[inline(always)]
fn asin_pair<R: Double>(x: R) -> Pair<R> {
    let (angle, lacks) = arc_sine(x.abs());
    Pair::choose(lacks, right_angles_and(1.0.into(), angle, true.into()), angle)
}

/// The arc cosine.
#[inline(always)]
fn acos_pair<R: Double>(x: R) -> Pair<R> {
    let (angle, lacks) = arc_sine(x.abs());
    let is_negative = x.is_less(0.0);
    let near = Pair::choose(is_negative, right_angles_and(2.0.into(), angle, true.into()), angle);
    Pair::choose(lacks, near, right_angles_and(1.0.into(), angle, !is_negative))
}

/// An angle in half turns.
#[inline(always)]
fn in_half_turns<R: Double>(angle: Pair<R>) -> R {
    angle.multiply(Pair::of(Pair(FRAC_1_PI, FRAC_1_PI_REST))).value()
}

#[inline(always)]
pub(crate) fn asin<R: Double>(x: R) -> R {
    asin_pair(x).value().copysign(x)
}

#[inline(always)]
pub(crate) fn acos<R: Double>(x: R) -> R {
    acos_pair(x).value()
}

#[inline(always)]
pub(crate) fn atan<R: Double>(x: R) -> R {
    atan_pair(x).value().copysign(x)
}

#[inline(always)]
pub(crate) fn atan2<R: Double>(y: R, x: R) -> R {
    atan2_pair(y, x).value().copysign(y)
}

#[inline(always)]
pub(crate) fn asin_pi<R: Double>(x: R) -> R {
    in_half_turns(asin_pair(x)).copysign(x)
}

#[inline(always)]
pub(crate) fn acos_pi<R: Double>(x: R) -> R {
    in_half_turns(acos_pair(x))
}

#[inline(always)]
pub(crate) fn atan_pi<R: Double>(x: R) -> R {
    in_half_turns(atan_pair(x)).copysign(x)
}

#[inline(always)]
pub(crate) fn atan2_pi<R: Double>(y: R, x: R) -> R {
    in_half_turns(atan2_pair(y, x)).copysign(y)
}
