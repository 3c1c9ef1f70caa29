//! Logarithms and the inverse hyperbolic functions.

use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
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
const LOG2_E: Pair = Pair(std::f64::consts::LOG2_E, 2.035_527_374_093_103_3e-17);
const LOG10_E: Pair = Pair(std::f64::consts::LOG10_E, 1.098_319_650_216_765e-17);
const LOG10_2: (f64, f64) = (0.301_029_995_663_611_77, 3.694_239_077_158_931e-13);

/// A positive number as the exponent of a power of 2, and a factor from the square root of one half to that of 2.
#[inline(always)]
pub(super) fn parts(x: f64) -> (f64, f64) {
    /// Takes subnormal numbers to where exponents are.
    const RAISE: f64 = (1_u64 << 54) as f64;
    let is_subnormal = x < f64::MIN_POSITIVE;
    let (exponent, factor) = exponent_and_factor(if is_subnormal { x * RAISE } else { x });
    (if is_subnormal { exponent - 54.0 } else { exponent }, factor)
}

/// The natural logarithm of 1 more than a number from [`parts`], less 1.
#[inline(always)]
fn ln_1p_near(more: f64) -> Pair {
    let half_square = Pair::product(0.5 * more, more);
    let s = more / (2.0 + more);
    let square = s * s;
    let Pair(high, low) = Pair::quick_sum(more, -half_square.0);
    Pair(high, low - half_square.1 + s * square.mul_add(polynomial(square, LN), half_square.0))
}

#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    let (exponent, factor) = parts(x);
    let near = ln_1p_near(factor - 1.0);
    let Pair(high, low) = Pair::sum(exponent * LN_2.0, near.0);
    logarithm_or_special(high + (low + exponent.mul_add(LN_2.1, near.1)), x)
}

#[inline(always)]
pub(crate) fn log2(x: f64) -> f64 {
    let (exponent, factor) = parts(x);
    let near = ln_1p_near(factor - 1.0);
    let near = Pair::quick_sum(near.0, near.1).multiply(LOG2_E);
    let Pair(high, low) = Pair::sum(exponent, near.0);
    logarithm_or_special(high + (low + near.1), x)
}

#[inline(always)]
pub(crate) fn log10(x: f64) -> f64 {
    let (exponent, factor) = parts(x);
    let near = ln_1p_near(factor - 1.0);
    let near = Pair::quick_sum(near.0, near.1).multiply(LOG10_E);
    let Pair(high, low) = Pair::sum(exponent * LOG10_2.0, near.0);
    logarithm_or_special(high + (low + exponent.mul_add(LOG10_2.1, near.1)), x)
}

/// `ln(1 + x)`, where `x` is a sum.
#[inline(always)]
fn ln_1p_pair(x: Pair) -> f64 {
    let Pair(sum, lost) = Pair::sum(1.0, x.0);
    let (exponent, factor) = parts(sum);
    // What the sum has lost matters where it is nearly 1, and there it is all that there is.
    let (more, lost) = if exponent == 0.0 { (x.0, x.1 / sum) } else { (factor - 1.0, (lost + x.1) / sum) };
    let near = ln_1p_near(more);
    let Pair(high, low) = Pair::sum(exponent * LN_2.0, near.0);
    high + (low + exponent.mul_add(LN_2.1, near.1 + lost))
}

#[inline(always)]
pub(crate) fn ln_1p(x: f64) -> f64 {
    let value = logarithm_or_special(ln_1p_pair(Pair(x, 0.0)), 1.0 + x);
    // The sign of zero is that of the argument.
    if x == 0.0 { x } else { value }
}

#[inline(always)]
pub(crate) fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let is_great = size > 1e9;
    let limited = if is_great { 1.0 } else { size };
    let square = Pair::product(limited, limited);
    let root = (square.0 + 1.0).sqrt();
    let near = ln_1p_pair(Pair::sum(limited, square.0 / (1.0 + root)));
    let value = if is_great { ln(size) + std::f64::consts::LN_2 } else { near };
    let value = if x == 0.0 || x.is_nan() { size } else { value };
    value.copysign(x)
}

#[inline(always)]
pub(crate) fn acosh(x: f64) -> f64 {
    let is_great = x > 1e9;
    let more = if is_great { 1.0 } else { x - 1.0 };
    let root = (more * (more + 2.0)).sqrt();
    let near = ln_1p_pair(Pair::sum(more, root));
    let value = if is_great { ln(x) + std::f64::consts::LN_2 } else { near };
    let value = if x == 1.0 { 0.0 } else { value };
    if x >= 1.0 { value } else { f64::NAN }
}

#[inline(always)]
pub(crate) fn atanh(x: f64) -> f64 {
    let size = x.abs();
    let below = 1.0 - size;
    let ratio = Pair::quotient(size + size, below);
    let lost = (1.0 - below) - size;
    let ratio = Pair(ratio.0, ratio.1 - ratio.0 * lost / below);
    let value = 0.5 * ln_1p_pair(ratio);
    let value = if size == 1.0 { f64::INFINITY } else { value };
    let value = if size <= 1.0 { value } else { f64::NAN };
    (if x == 0.0 { size } else { value }).copysign(x)
}
