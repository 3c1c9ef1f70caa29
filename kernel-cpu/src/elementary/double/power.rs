//! Powers and roots.

use super::exponential::exp_scaled;
use super::logarithm::parts;
use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
use crate::elementary::real::{Double, Truth};
use crate::elementary::scale::parity;

/// `((ln((1 + x) / (1 - x)) / x - 2) / x² - 2 / 3) / x²` in x², for what [`parts`] leaves, to 2⁻⁶⁹ of the whole.
const POWER: [f64; 8] = [
    0.4,
    0.285_714_285_714_263_8,
    0.222_222_222_227_278_55,
    0.181_818_181_655_458_43,
    0.153_846_087_772_296_03,
    0.133_342_029_775_891_5,
    0.117_195_818_378_957_08,
    0.116_047_992_900_491_77,
];

const LN_2: (f64, f64) = (0.693_147_180_559_208_2, 7.371_002_565_167_799e-13);
const LN_2_REST: f64 = 1.947_045_092_380_75e-31;
const TWO_THIRDS: Pair<f64> = Pair(2.0 / 3.0, 3.700_743_415_417_188e-17);

/// The natural logarithm of a positive number, to about 67 digits.
#[inline(always)]
fn ln_pair<R: Double>(x: R) -> Pair<R> {
    let (exponent, factor) = parts(x);
    let above = factor - 1.0;
    let below = Pair::sum(factor, 1.0.into());
    let s = above / below.0;
    let s = Pair(s, ((-s).mul_add(below.0, above) - s * below.1) / below.0);
    let square = s.multiply(s);
    let rest = square.0.mul_add(polynomial(square.0, POWER), TWO_THIRDS.1);
    let series = Pair::quick_sum(TWO_THIRDS.0.into(), rest);
    let cube = s.multiply(square);
    let near = Pair(s.0 * 2.0, s.1 * 2.0).plus(cube.multiply(series));
    let whole = Pair::sum(exponent * LN_2.0, exponent * LN_2.1);
    Pair(whole.0, exponent.mul_add(LN_2_REST, whole.1)).plus(near)
}

/// `|x|` to the power of `y`, but for what has no limit.
#[inline(always)]
fn power_of_size<R: Double>(x: R, y: Pair<R>) -> R {
    let size = x.abs();
    let power = ln_pair(size).multiply(y);
    // Products that overflow have no rest.
    let is_usual = power.0.abs().is_less(1e4);
    let power = Pair::choose(is_usual, power, Pair(ln_sign(size) * y.0 * 1e4, 0.0.into()));
    let value = exp_scaled(power, 0.0.into());
    let special = y.0 * ln_sign(size);
    let limit: R = special.is_greater(0.0).choose(f64::INFINITY, 0.0);
    let limit = special.is_nan().choose(special, limit);
    let value = (size.is_equal(0.0) | size.is_equal(f64::INFINITY)).choose(limit, value);
    size.is_nan().choose(size, value)
}

/// On which side of 1 a number is.
#[inline(always)]
fn ln_sign<R: Double>(size: R) -> R {
    let sign: R = size.is_greater(1.0).choose(1.0, 0.0);
    size.is_less(1.0).choose(-1.0, sign)
}

#[inline(always)]
pub(crate) fn powf<R: Double>(x: R, y: R) -> R {
    let (is_integer, is_odd) = parity(y);
    let size = power_of_size(x, Pair(y, 0.0.into()));
    let size = x.abs().is_equal(1.0).choose(1.0, size);
    let size = y.is_nan().choose(y, size);
    let has_none = x.is_less(0.0) & !x.is_equal(f64::NEG_INFINITY) & !is_integer;
    let size = has_none.choose(f64::NAN, size);
    let value = is_odd.choose(size.copysign(x), size);
    let value = size.is_nan().choose(size, value);
    (x.is_equal(1.0) | y.is_equal(0.0)).choose(1.0, value)
}

#[inline(always)]
pub(crate) fn powr<R: Double>(x: R, y: R) -> R {
    let size = power_of_size(x, Pair(y, 0.0.into()));
    let is_extreme = x.is_equal(0.0) | x.is_equal(f64::INFINITY);
    let is_infinite = x.is_equal(1.0) & y.abs().is_equal(f64::INFINITY);
    let has_no_limit = (is_extreme & y.is_equal(0.0)) | is_infinite | x.is_less(0.0);
    let size = (has_no_limit | y.is_nan()).choose(f64::NAN, size);
    (y.is_equal(0.0) & !has_no_limit & !x.is_nan()).choose(1.0, size)
}

/// The root of degree `n`, an integer.
#[inline(always)]
pub(crate) fn rootn<R: Double>(x: R, n: R) -> R {
    let (_, is_odd) = parity(n);
    let root = power_of_size(x, Pair::quotient(1.0, n));
    let root = (n.is_equal(0.0) | (x.is_less(0.0) & !is_odd)).choose(f64::NAN, root);
    is_odd.choose(root.copysign(x), root)
}

#[inline(always)]
pub(crate) fn hypot<R: Double>(x: R, y: R) -> R {
    // So that squares neither overflow nor vanish.
    const SMALL: f64 = f64::from_bits(1e-200_f64.to_bits() & 0xfff0_0000_0000_0000);
    const GREAT: f64 = f64::from_bits(1e200_f64.to_bits() & 0xfff0_0000_0000_0000);
    let (x, y) = (x.abs(), y.abs());
    let is_wide = x.is_less(y);
    let (less, more) = (is_wide.choose(x, y), is_wide.choose(y, x));
    let scale = more.is_greater(1e150).choose(SMALL, 1.0);
    let scale = more.is_less(1e-150).choose(GREAT, scale);
    let (less, more) = (less * scale, more * scale);
    let sum = Pair::product(more, more).plus(Pair::product(less, less));
    let root = sum.0.sqrt();
    let lost = ((-root).mul_add(root, sum.0) + sum.1) / (root + root);
    let value = root.is_greater(0.0).choose(root + lost, root) / scale;
    let value = (x.is_nan() | y.is_nan()).choose(f64::NAN, value);
    (x.is_equal(f64::INFINITY) | y.is_equal(f64::INFINITY)).choose(f64::INFINITY, value)
}

#[inline(always)]
pub(crate) fn cbrt<R: Double>(x: R) -> R {
    let third = Pair::quotient(1.0, R::from(3.0));
    power_of_size(x, third).copysign(x)
}
