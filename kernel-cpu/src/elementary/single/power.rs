//! Powers and roots.

use super::exponential::exp_wide;
use super::logarithm::ln_wide;
use crate::elementary::scale::parity;

/// `|x|` to the power of `y`, but for what has no limit.
#[inline(always)]
fn power_of_size(x: f64, y: f64) -> f64 {
    exp_wide(y * ln_wide(x.abs()))
}

/// `x` to the power of `y`, both of which are exact in `f32`, or integers.
#[inline(always)]
fn power(x: f64, y: f64) -> f32 {
    let (is_integer, is_odd) = parity(y);
    let size = power_of_size(x, y);
    let size = if x.abs() == 1.0 && !y.is_nan() { 1.0 } else { size };
    let size = if x < 0.0 && x != f64::NEG_INFINITY && !is_integer { f64::NAN } else { size };
    let value = if is_odd && !size.is_nan() { size.copysign(x) } else { size };
    (if x == 1.0 || y == 0.0 { 1.0 } else { value }) as f32
}

#[inline(always)]
pub(crate) fn powf(x: f32, y: f32) -> f32 {
    power(x.into(), y.into())
}

#[inline(always)]
pub(crate) fn pown(x: f32, n: i32) -> f32 {
    power(x.into(), n.into())
}

#[inline(always)]
pub(crate) fn powr(x: f32, y: f32) -> f32 {
    // Of 0⁰, ∞⁰ and 1 to the power of ∞ the product of a zero and an infinite number is NaN.
    let size = power_of_size(x.into(), y.into()) as f32;
    if x < 0.0 { f32::NAN } else { size }
}

#[inline(always)]
pub(crate) fn rootn(x: f32, n: i32) -> f32 {
    let is_odd = n & 1 != 0;
    let root = exp_wide(ln_wide(x.abs().into()) / f64::from(n)) as f32;
    let root = if n == 0 || (x < 0.0 && !is_odd) { f32::NAN } else { root };
    if is_odd { root.copysign(x) } else { root }
}

#[inline(always)]
pub(crate) fn cbrt(x: f32) -> f32 {
    (exp_wide(ln_wide(x.abs().into()) * (1.0 / 3.0)) as f32).copysign(x)
}

#[inline(always)]
pub(crate) fn hypot(x: f32, y: f32) -> f32 {
    let (wide_x, wide_y) = (f64::from(x), f64::from(y));
    let value = wide_x.mul_add(wide_x, wide_y * wide_y).sqrt() as f32;
    if x.is_infinite() || y.is_infinite() { f32::INFINITY } else { value }
}
