//! The error function.

use super::exponential::exp;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Real, Truth};

/// `erf x / x` in x², for 1 at most, to 2⁻⁴⁵.
const ERF: [f64; 10] = [
    1.128_379_167_095_491_5,
    -0.376_126_389_027_714_4,
    0.112_837_916_575_707_98,
    -0.026_866_168_951_048_42,
    0.005_223_966_684_262_171,
    -0.000_854_791_906_798_272_4,
    0.000_120_460_126_710_126_15,
    -1.479_257_268_027_942e-5,
    1.529_324_612_591_555_6e-6,
    -1.043_988_408_021_075_3e-7,
];

/// `erfc x · exp x² · (1 + x)` in `(x - 3) / (x + 3)`, from 0.9 to 10.1, to 2⁻⁴⁵.
const ERFC: [f64; 14] = [
    0.716_004_604_725_564_5,
    -0.230_927_333_083_508_8,
    0.099_020_753_677_753_18,
    -0.010_235_388_935_484_249,
    -0.023_803_913_010_122_812,
    0.021_957_765_298_662_283,
    -0.009_750_691_425_328_945,
    0.001_618_549_045_712_392_6,
    0.000_645_835_947_533_094_4,
    -0.000_367_126_501_931_420_7,
    -2.066_414_751_096_593_7e-5,
    5.541_236_640_468_934e-5,
    -1.230_891_089_922_777_3e-6,
    -7.382_013_491_404_938e-6,
];

/// The error function of a number from 0 to 1.
#[inline(always)]
fn near<R: Real>(size: R) -> R {
    size * polynomial(size * size, ERF)
}

/// 1 less the error function of a number that is not less than 1.
#[inline(always)]
fn far<R: Real>(size: R) -> R {
    // Beyond, an `f32` is zero.
    let size = size.is_greater(11.0).choose(11.0, size);
    let place = (size - 3.0) / (size + 3.0);
    exp(-size * size) * polynomial(place, ERFC) / (size + 1.0)
}

#[inline(always)]
pub(crate) fn erf<R: Real>(x: R) -> R {
    let size = x.abs();
    size.is_greater(1.0).choose(R::from(1.0) - far(size), near(size)).copysign(x)
}

#[inline(always)]
pub(crate) fn erfc<R: Real>(x: R) -> R {
    let size = x.abs();
    let is_negative = x.is_less(0.0);
    let (near, far) = (near(size), far(size));
    let near = is_negative.choose(near + 1.0, R::from(1.0) - near);
    let far = is_negative.choose(R::from(2.0) - far, far);
    size.is_greater(1.0).choose(far, near)
}
