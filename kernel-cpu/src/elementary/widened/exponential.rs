//! The exponential function.

use crate::elementary::polynomial::polynomial;
use crate::elementary::real::Double;
use crate::elementary::scale::{limited, power_of_two};
use std::f64::consts::{LN_2, LOG2_E};

/// `(eˣ - 1 - x) / x²` for half of ln 2 at most, to 2⁻³⁶ of `eˣ - 1`.
const EXP_M1: [f64; 7] = [
    0.499_999_999_999_081_23,
    0.166_666_667_198_984_68,
    0.041_666_666_856_791_12,
    0.008_333_298_085_836_048,
    0.001_388_882_342_695_819_3,
    0.000_198_996_038_129_900_26,
    2.487_658_950_851_938e-5,
];

/// Powers of e of greater and lesser numbers are infinite or zero as an `f32`; of these they are ordinary as an `f64`.
const GREATEST: f64 = 700.0;

/// A power of 2 and what the power of e of the rest is more than 1.
#[inline(always)]
fn parts<R: Double>(x: R) -> (R, R) {
    let turns = (x * LOG2_E).round_ties_even();
    let rest = turns.mul_add(-LN_2, x);
    (power_of_two(turns), (rest * rest).mul_add(polynomial(rest, EXP_M1), rest))
}

/// eˣ for any `x`, also between numbers of single precision.
#[inline(always)]
pub(crate) fn exp<R: Double>(x: R) -> R {
    let (scale, more) = parts(limited(x, GREATEST));
    more.mul_add(scale, scale)
}
