//! Powers and roots.

use super::exponential::exp;
use super::logarithm::ln;
use crate::elementary::real::{Double, Truth};
use crate::elementary::scale::{limited, parity, power_of_two};

/// `|x|` to the power of `y`, but for what has no limit.
#[inline(always)]
fn power_of_size<R: Double>(x: R, y: R) -> R {
    exp(y * ln(x.abs()))
}

/// `x` to the power of `y`, both of which are exact in single precision, or integers.
#[inline(always)]
pub(crate) fn powf<R: Double>(x: R, y: R) -> R {
    let (is_integer, is_odd) = parity(y);
    let size = power_of_size(x, y);
    let size = (x.abs().is_equal(1.0) & !y.is_nan()).choose(1.0, size);
    let has_none = x.is_less(0.0) & !x.is_equal(f64::NEG_INFINITY) & !is_integer;
    let size = has_none.choose(f64::NAN, size);
    let value = (is_odd & !size.is_nan()).choose(size.copysign(x), size);
    (x.is_equal(1.0) | y.is_equal(0.0)).choose(1.0, value)
}

/// The root of degree `n`, an integer.
#[inline(always)]
pub(crate) fn rootn<R: Double>(x: R, n: R) -> R {
    let (_, is_odd) = parity(n);
    let root = exp(ln(x.abs()) / n);
    let root = (n.is_equal(0.0) | (x.is_less(0.0) & !is_odd)).choose(f64::NAN, root);
    is_odd.choose(root.copysign(x), root)
}

/// `x` times 2 to the power of `n`, an integer.
#[inline(always)]
pub(crate) fn ldexp<R: Double>(x: R, n: R) -> R {
    // Beyond, every number is zero or infinite.
    x * power_of_two(limited(n, 300.0))
}
