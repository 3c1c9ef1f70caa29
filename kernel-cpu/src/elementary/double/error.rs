//! The error function.

use super::exponential::exp_scaled;
use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Double, Truth};

/// `erf x / x - 1` in x², for 1 at most, to 2⁻⁵⁶.
const ERF: [f64; 12] = [
    0.128_379_167_095_512_56,
    -0.376_126_389_031_834_7,
    0.112_837_916_709_432_19,
    -0.026_866_170_643_026_186,
    0.005_223_977_605_721_054,
    -0.000_854_832_591_900_345_5,
    0.000_120_552_934_374_659_66,
    -1.492_471_181_359_830_2e-5,
    1.644_714_429_327_705_9e-6,
    -1.620_651_249_209_926_8e-7,
    1.371_215_171_973_145_2e-8,
    -7.782_068_877_854_96e-10,
];

/// `erfc x · exp x² · (1 + x)` in `(x - 4) / (x + 4)`, from 0.95 to 27.5, to 2⁻⁵⁹.
const ERFC: [f64; 21] = [
    0.684_997_288_125_306_9,
    -0.199_344_582_800_367_07,
    0.117_049_665_510_442_78,
    -0.048_080_381_221_309_4,
    0.003_962_055_681_264_251,
    0.015_312_509_679_364_905,
    -0.017_515_654_645_672_053,
    0.012_161_784_751_646_662,
    -0.006_068_735_233_864_851_5,
    0.002_116_421_602_178_262,
    -0.000_389_767_353_656_708_85,
    -6.013_693_349_744_081e-5,
    6.403_199_502_633_857e-5,
    -1.315_020_792_157_091_4e-5,
    -4.135_963_998_311_989e-6,
    2.646_856_234_649_137e-6,
    -7.027_999_391_058_498e-10,
    -3.564_374_074_922_635_7e-7,
    5.579_817_122_229_941_6e-8,
    3.695_465_245_161_769_6e-8,
    -1.190_132_471_833_179_1e-8,
];

/// The error function of a number from 0 to 1.
#[inline(always)]
fn near<R: Double>(size: R) -> Pair<R> {
    Pair::quick_sum(size, size * polynomial(size * size, ERF))
}

/// 1 less the error function of a number that is not less than 1.
#[inline(always)]
fn far<R: Double>(size: R) -> R {
    // Beyond, it is zero.
    let size = size.is_greater(27.5).choose(27.5, size);
    let place = (size - 4.0) / (size + 4.0);
    let square = Pair::product(size, size);
    exp_scaled(-square, 0.0.into()) * (polynomial(place, ERFC) / (size + 1.0))
}

#[inline(always)]
pub(crate) fn erf<R: Double>(x: R) -> R {
    let size = x.abs();
    size.is_greater(1.0).choose(R::from(1.0) - far(size), near(size).value()).copysign(x)
}

#[inline(always)]
pub(crate) fn erfc<R: Double>(x: R) -> R {
    let size = x.abs();
    let is_negative = x.is_less(0.0);
    let Pair(high, low) = near(size);
    let Pair(sum, lost) = Pair::sum(1.0, is_negative.choose(high, -high));
    let close = sum + (lost + is_negative.choose(low, -low));
    let far = far(size);
    let far = is_negative.choose(R::from(2.0) - far, far);
    size.is_greater(1.0).choose(far, close)
}
