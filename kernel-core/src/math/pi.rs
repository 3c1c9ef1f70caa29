//! Functions of angles in half turns.

use core::f64::consts::{FRAC_1_PI, PI};

/// The sine of πx.
pub(super) fn sin_pi(x: f64) -> f64 {
    let Some((quadrant, rest)) = quadrant(x) else { return f64::NAN };
    let sine = match quadrant {
        0 => (rest * PI).sin(),
        1 => (rest * PI).cos(),
        2 => -(rest * PI).sin(),
        _ => -(rest * PI).cos(),
    };
    // At integers the sign is that of the angle.
    if sine == 0.0 { 0.0_f64.copysign(x) } else { sine }
}

/// The cosine of πx.
pub(super) fn cos_pi(x: f64) -> f64 {
    let Some((quadrant, rest)) = quadrant(x) else { return f64::NAN };
    let cosine = match quadrant {
        0 => (rest * PI).cos(),
        1 => -(rest * PI).sin(),
        2 => -(rest * PI).cos(),
        _ => (rest * PI).sin(),
    };
    // Halfway between integers it is the positive zero.
    if cosine == 0.0 { 0.0 } else { cosine }
}

/// The tangent of πx.
pub(super) fn tan_pi(x: f64) -> f64 {
    let Some((quadrant, rest)) = quadrant(x) else { return f64::NAN };
    match (quadrant, rest == 0.0) {
        (0, true) => 0.0_f64.copysign(x),
        (2, true) => -0.0_f64.copysign(x),
        (1, true) => f64::INFINITY,
        (3, true) => f64::NEG_INFINITY,
        (0 | 2, false) => (rest * PI).tan(),
        _ => -(rest * PI).tan().recip(),
    }
}

/// Takes an angle to the multiple of one half that is nearest to it, as a quadrant from 0 to 3, and the rest, exactly.
fn quadrant(x: f64) -> Option<(u8, f64)> {
    if !x.is_finite() {
        return None;
    }
    let turn = x % 2.0;
    let halves = (turn * 2.0).round_ties_even();
    Some((halves.rem_euclid(4.0) as u8, turn - halves * 0.5))
}

/// An angle in radians as one in half turns.
///
/// The reciprocal of π is taken as a sum of two numbers, so that the product is rounded once. Zero keeps its sign.
pub(super) fn in_half_turns(radians: f64) -> f64 {
    /// What [`FRAC_1_PI`] lacks.
    const REST: f64 = -1.967_867_667_518_248_6e-17;
    if radians == 0.0 { radians } else { radians.mul_add(FRAC_1_PI, radians * REST) }
}
