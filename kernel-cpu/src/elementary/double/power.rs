//! Powers and roots.

use super::exponential::exp_scaled;
use super::logarithm::parts;
use crate::elementary::pair::Pair;
use crate::elementary::polynomial::polynomial;
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
const TWO_THIRDS: Pair = Pair(2.0 / 3.0, 3.700_743_415_417_188e-17);

/// The natural logarithm of a positive number, to about 67 digits.
#[inline(always)]
fn ln_pair(x: f64) -> Pair {
    let (exponent, factor) = parts(x);
    let above = factor - 1.0;
    let below = Pair::sum(factor, 1.0);
    let s = above / below.0;
    let s = Pair(s, ((-s).mul_add(below.0, above) - s * below.1) / below.0);
    let square = s.multiply(s);
    let series = Pair::quick_sum(TWO_THIRDS.0, square.0.mul_add(polynomial(square.0, POWER), TWO_THIRDS.1));
    let cube = s.multiply(square);
    let near = Pair(2.0 * s.0, 2.0 * s.1).plus(cube.multiply(series));
    let whole = Pair::sum(exponent * LN_2.0, exponent * LN_2.1);
    Pair(whole.0, exponent.mul_add(LN_2_REST, whole.1)).plus(near)
}

/// `|x|` to the power of `y`, but for what has no limit.
#[inline(always)]
fn power_of_size(x: f64, y: Pair) -> f64 {
    let size = x.abs();
    let power = ln_pair(size).multiply(y);
    // Products that overflow have no rest.
    let power = if power.0.abs() < 1e4 { power } else { Pair(ln_sign(size) * y.0 * 1e4, 0.0) };
    let value = exp_scaled(power, 0.0);
    let special = y.0 * ln_sign(size);
    let value = if size == 0.0 || size == f64::INFINITY {
        let value = if special > 0.0 { f64::INFINITY } else { 0.0 };
        if special.is_nan() { special } else { value }
    } else {
        value
    };
    if size.is_nan() { size } else { value }
}

/// On which side of 1 a number is.
#[inline(always)]
fn ln_sign(size: f64) -> f64 {
    let sign = if size > 1.0 { 1.0 } else { 0.0 };
    if size < 1.0 { -1.0 } else { sign }
}

#[inline(always)]
pub(crate) fn powf(x: f64, y: f64) -> f64 {
    let (is_integer, is_odd) = parity(y);
    let size = power_of_size(x, Pair(y, 0.0));
    let size = if x.abs() == 1.0 { 1.0 } else { size };
    let size = if y.is_nan() { y } else { size };
    let size = if x < 0.0 && x != f64::NEG_INFINITY && !is_integer { f64::NAN } else { size };
    let value = if is_odd { size.copysign(x) } else { size };
    let value = if size.is_nan() { size } else { value };
    if x == 1.0 || y == 0.0 { 1.0 } else { value }
}

#[inline(always)]
pub(crate) fn pown(x: f64, n: i32) -> f64 {
    powf(x, n.into())
}

#[inline(always)]
pub(crate) fn powr(x: f64, y: f64) -> f64 {
    let size = power_of_size(x, Pair(y, 0.0));
    let is_extreme = x == 0.0 || x == f64::INFINITY;
    let has_no_limit = (is_extreme && y == 0.0) || (x == 1.0 && y.is_infinite()) || x < 0.0;
    let size = if has_no_limit || y.is_nan() { f64::NAN } else { size };
    if y == 0.0 && !has_no_limit && !x.is_nan() { 1.0 } else { size }
}

#[inline(always)]
pub(crate) fn rootn(x: f64, n: i32) -> f64 {
    let is_odd = n & 1 != 0;
    let degree = Pair::quotient(1.0, n.into());
    let root = power_of_size(x, degree);
    let root = if n == 0 || (x < 0.0 && !is_odd) { f64::NAN } else { root };
    if is_odd { root.copysign(x) } else { root }
}

#[inline(always)]
pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let (less, more) = if x < y { (x, y) } else { (y, x) };
    // Squares neither overflow nor vanish.
    let scale = if more > 1e150 { 1e-200_f64.to_bits() } else { 1.0_f64.to_bits() };
    let scale = f64::from_bits(scale & 0xfff0_0000_0000_0000);
    let raise = f64::from_bits(1e200_f64.to_bits() & 0xfff0_0000_0000_0000);
    let scale = if more < 1e-150 { raise } else { scale };
    let (less, more) = (less * scale, more * scale);
    let sum = Pair::product(more, more).plus(Pair::product(less, less));
    let root = sum.0.sqrt();
    let lost = ((-root).mul_add(root, sum.0) + sum.1) / (root + root);
    let value = (if root > 0.0 { root + lost } else { root }) / scale;
    let value = if x.is_nan() || y.is_nan() { f64::NAN } else { value };
    if x == f64::INFINITY || y == f64::INFINITY { f64::INFINITY } else { value }
}

#[inline(always)]
pub(crate) fn cbrt(x: f64) -> f64 {
    let third = Pair::quotient(1.0, 3.0);
    power_of_size(x, third).copysign(x)
}
