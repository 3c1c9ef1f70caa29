//! Powers and roots with the special cases of OpenCL.

/// The root of degree `n`.
///
/// The reciprocal of `n` is inexact, which a power of a great number would amplify; the factor for what it lacks is near one.
pub(super) fn rootn(x: f64, n: i32) -> f64 {
    let is_odd = n % 2 != 0;
    if n == 0 || (x < 0.0 && !is_odd) {
        return f64::NAN;
    }
    let size = x.abs();
    let degree = f64::from(n);
    let exponent = degree.recip();
    let lacking = (-exponent).mul_add(degree, 1.0) / degree;
    let root = size.powf(exponent);
    let is_ordinary = size > 0.0 && size.is_finite() && root.is_normal();
    let root = if is_ordinary { (root * lacking).mul_add(size.ln(), root) } else { root };
    if is_odd { root.copysign(x) } else { root }
}

/// A power of a number that is not negative.
pub(super) fn powr(x: f64, y: f64) -> f64 {
    let has_no_limit = match x {
        0.0 | f64::INFINITY => y == 0.0,
        1.0 => y.is_infinite(),
        _ => x < 0.0,
    };
    if has_no_limit || x.is_nan() || y.is_nan() { f64::NAN } else { x.abs().powf(y) }
}

/// What is left of `x` after the nearest multiple of `y`, of two the even one.
pub(super) fn remainder(x: f64, y: f64) -> f64 {
    let step = y.abs();
    if x.is_infinite() || y.is_nan() || step == 0.0 {
        return f64::NAN;
    }
    // After this the multiple is 0, 1 or 2 steps, so that its parity is known.
    let rest = if step <= f64::MAX / 2.0 { x % (step * 2.0) } else { x };
    // Half of a small number is inexact, and double of a great one infinite.
    let exceeds_half = |size: f64| if step < 1.0 { size + size > step } else { size > step * 0.5 };
    let is_half = |size: f64| if step < 1.0 { size + size == step } else { size == step * 0.5 };
    let mut size = rest.abs();
    if exceeds_half(size) {
        size -= step;
        if exceeds_half(size) || is_half(size) {
            size -= step;
        }
    }
    if rest.is_sign_negative() { -size } else { size }
}
