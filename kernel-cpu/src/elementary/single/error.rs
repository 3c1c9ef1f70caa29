//! The error function.

use super::exponential::{exp_parts, exp_parts_of_pair};
use super::scale::{INTEGER, power_of_two};
use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Single, Truth};

/// `erf x / x - 1` in x², for 1 at most, to 2⁻²⁹ of the error function.
const ERF: [f32; 7] = [
    0.128_379_17,
    -0.376_126_26,
    0.112_835_86,
    -0.026_853_845,
    0.005_188_377_6,
    -0.000_801_056_04,
    7.854_902e-5,
];

/// `-ln(1 - erf x) / x` from 0.9 to 4, to 2⁻²⁴.
const FAR_ERF: [f32; 8] = [
    1.128_818_4,
    0.634_456_46,
    0.107_395_09,
    -0.024_774_188,
    0.004_137_170_5,
    -0.000_455_009_58,
    2.821_616_4e-5,
    -6.855_54e-7,
];

/// `erfc x · exp x² · (1 + x)` in `(x - 3) / (x + 3)`, from 0.9 to 10.1, to 2⁻²⁶.
const ERFC: [f32; 9] = [
    0.716_004_6,
    -0.230_927_24,
    0.099_020_585,
    -0.010_239_369,
    -0.023_802_659,
    0.022_006_758,
    -0.009_752_204,
    0.001_391_522_6,
    0.000_636_028_53,
];

/// The error function of a number of at most 1.
#[inline(always)]
fn near<R: Single>(x: R) -> R {
    x.mul_add(polynomial(x * x, ERF), x)
}

#[inline(always)]
pub(crate) fn erf<R: Single>(x: R) -> R {
    let size = x.abs();
    // Beyond, it is 1 as an `f32`.
    let limited = size.is_greater(4.0).choose(4.0, size);
    let (shifted, more) = exp_parts(-limited * polynomial(limited, FAR_ERF));
    let scale = power_of_two(shifted);
    let far = R::from(1.0) - more.mul_add(scale, scale);
    size.is_greater(1.0).choose(far.copysign(x), near(x))
}

/// 1 less the error function of a number that is not less than 1.
#[inline(always)]
fn far_complement<R: Single>(size: R) -> R {
    // Beyond, it is zero as an `f32`.
    let size = size.is_greater(10.25).choose(10.25, size);
    let place = (size - 3.0) / (size + 3.0);
    let factor = polynomial(place, ERFC) / (size + 1.0);
    let (shifted, more) = exp_parts_of_pair(-Pair::product(size, size));
    more.mul_add(factor, factor).scale(shifted - INTEGER)
}

#[inline(always)]
pub(crate) fn erfc<R: Single>(x: R) -> R {
    let size = x.abs();
    let far = far_complement(size);
    let far = x.is_less(0.0).choose(R::from(2.0) - far, far);
    size.is_greater(1.0).choose(far, R::from(1.0) - near(x))
}
