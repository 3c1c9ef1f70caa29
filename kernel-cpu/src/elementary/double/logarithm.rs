//! Logarithms and the inverse hyperbolic functions.

use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Double, Truth};
use crate::elementary::scale::{exponent_and_factor, logarithm_or_special};

/// `(ln((1 + x) / (1 - x)) / x - 2) / x²` in x², for what [`parts`] leaves, to 2⁻⁶⁵.
const LN: [f64; 8] = [
    0.666_666_666_666_666_6,
    0.400_000_000_000_053_2,
    0.285_714_285_691_721_3,
    0.222_222_226_557_840_44,
    0.181_817_737_026_716_75,
    0.153_872_155_764_232_94,
    0.132_466_675_138_446_62,
    0.132_869_089_320_408_03,
];

const LN_2: (f64, f64) = (0.693_147_180_559_208_2, 7.371_002_565_167_799e-13);
const LOG2_E: Pair<f64> = Pair(std::f64::consts::LOG2_E, 2.035_527_374_093_103_3e-17);
const LOG10_E: Pair<f64> = Pair(std::f64::consts::LOG10_E, 1.098_319_650_216_765e-17);
const LOG10_2: (f64, f64) = (0.301_029_995_663_611_77, 3.694_239_077_158_931e-13);

/// A positive number as the exponent of a power of 2, and a factor from the square root of one half to that of 2.
#[inline(always)]
pub(super) fn parts<R: Double>(x: R) -> (R, R) {
    /// Takes subnormal numbers to where exponents are.
    const RAISE: f64 = (1_u64 << 54) as f64;
    let is_subnormal = x.is_less(f64::MIN_POSITIVE);
    let (exponent, factor) = exponent_and_factor(is_subnormal.choose(x * RAISE, x));
    (is_subnormal.choose(exponent - 54.0, exponent), factor)
}

/// The natural logarithm of 1 more than a number from [`parts`], less 1.
#[inline(always)]
fn ln_1p_near<R: Double>(more: R) -> Pair<R> {
    let half_square = Pair::product(more * 0.5, more);
    let s = more / (more + 2.0);
    let square = s * s;
    let Pair(high, low) = Pair::quick_sum(more, -half_square.0);
    Pair(high, low - half_square.1 + s * square.mul_add(polynomial(square, LN), half_square.0))
}

#[inline(always)]
pub(crate) fn ln<R: Double>(x: R) -> R {
    let (exponent, factor) = parts(x);
    let near = ln_1p_near(factor - 1.0);
    let Pair(high, low) = Pair::sum(exponent * LN_2.0, near.0);
    logarithm_or_special(high + (low + exponent.mul_add(LN_2.1, near.1)), x)
}

#[inline(always)]
pub(crate) fn log2<R: Double>(x: R) -> R {
    let (exponent, factor) = parts(x);
    let near = ln_1p_near(factor - 1.0);
    let near = Pair::quick_sum(near.0, near.1).multiply(Pair::of(LOG2_E));
    let Pair(high, low) = Pair::sum(exponent, near.0);
    logarithm_or_special(high + (low + near.1), x)
}

#[inline(always)]
pub(crate) fn log10<R: Double>(x: R) -> R {
    let (exponent, factor) = parts(x);
    let near = ln_1p_near(factor - 1.0);
    let near = Pair::quick_sum(near.0, near.1).multiply(Pair::of(LOG10_E));
    let Pair(high, low) = Pair::sum(exponent * LOG10_2.0, near.0);
    logarithm_or_special(high + (low + exponent.mul_add(LOG10_2.1, near.1)), x)
}

/// `ln(1 + x)`, where `x` is a sum.
#[inline(always)]
fn ln_1p_pair<R: Double>(x: Pair<R>) -> R {
    let Pair(sum, lost) = Pair::sum(1.0, x.0);
    let (exponent, factor) = parts(sum);
    // What the sum has lost matters where it is nearly 1, and there it is all that there is.
    let is_near = exponent.is_equal(0.0);
    let more = is_near.choose(x.0, factor - 1.0);
    let lost = is_near.choose(x.1, lost + x.1) / sum;
    let near = ln_1p_near(more);
    let Pair(high, low) = Pair::sum(exponent * LN_2.0, near.0);
    high + (low + exponent.mul_add(LN_2.1, near.1 + lost))
}

#[inline(always)]
pub(crate) fn ln_1p<R: Double>(x: R) -> R {
    let value = logarithm_or_special(ln_1p_pair(Pair(x, 0.0.into())), x + 1.0);
    // The sign of zero is that of the argument.
    x.is_equal(0.0).choose(x, value)
}

#[inline(always)]
pub(crate) fn asinh<R: Double>(x: R) -> R {
    let size = x.abs();
    let is_great = size.is_greater(1e9);
    let limited: R = is_great.choose(1.0, size);
    let square = Pair::product(limited, limited);
    let root = (square.0 + 1.0).sqrt();
    let near = ln_1p_pair(Pair::sum(limited, square.0 / (root + 1.0)));
    let value = is_great.choose(ln(size) + std::f64::consts::LN_2, near);
    let value = (x.is_equal(0.0) | x.is_nan()).choose(size, value);
    value.copysign(x)
}

#[inline(always)]
pub(crate) fn acosh<R: Double>(x: R) -> R {
    let is_great = x.is_greater(1e9);
    let more: R = is_great.choose(1.0, x - 1.0);
    let root = (more * (more + 2.0)).sqrt();
    let near = ln_1p_pair(Pair::sum(more, root));
    let value = is_great.choose(ln(x) + std::f64::consts::LN_2, near);
    let value = x.is_equal(1.0).choose(0.0, value);
    x.is_at_least(1.0).choose(value, f64::NAN)
}

#[inline(always)]
pub(crate) fn atanh<R: Double>(x: R) -> R {
    let size = x.abs();
    let below = R::from(1.0) - size;
    let ratio = Pair::quotient(size + size, below);
    let lost = (R::from(1.0) - below) - size;
    let ratio = Pair(ratio.0, ratio.1 - ratio.0 * lost / below);
    let value = ln_1p_pair(ratio) * 0.5;
    let value = size.is_equal(1.0).choose(f64::INFINITY, value);
    let value = size.is_at_most(1.0).choose(value, f64::NAN);
    x.is_equal(0.0).choose(size, value).copysign(x)
}
