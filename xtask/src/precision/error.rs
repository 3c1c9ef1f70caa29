//! Errors in units in the last place, as the OpenCL SPIR-V Environment Specification counts them ("Relative Error as ULPs").

use super::sample::Float;

/// An exact result as a sum of two doubles, of which the second is less than a unit of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exact(pub(super) f64, pub(super) f64);

/// How far a result is from the exact one, in units in the last place of the exact one.
///
/// Infinity counts as the power of two that follows the greatest number. If only one of the two is NaN, the error is infinite.
pub(super) fn in_ulps<T: Float>(result: T, exact: Exact) -> f64 {
    let result = result.to_double();
    let Exact(near, rest) = exact;
    if result.is_nan() || near.is_nan() {
        return if result.is_nan() && near.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if overflows::<T>(near) {
        let end = f64::INFINITY.copysign(near);
        return if result == end {
            0.0
        } else {
            below_end::<T>(result * near.signum()) / unit::<T>(T::GREATEST)
        };
    }
    if result.is_infinite() {
        return below_end::<T>(near * result.signum()) / unit::<T>(near);
    }
    ((result - near) - rest).abs() / unit::<T>(near)
}

/// Returns whether an exact result is rounded to infinity.
fn overflows<T: Float>(exact: f64) -> bool {
    let size = exact.abs();
    size >= T::GREATEST && (exact.is_infinite() || size - T::GREATEST >= unit::<T>(T::GREATEST) * 0.5)
}

/// How far a number is from the power of two that follows the greatest one.
fn below_end<T: Float>(number: f64) -> f64 {
    (T::GREATEST - number) + unit::<T>(T::GREATEST)
}

/// The distance between the floats around a number.
fn unit<T: Float>(number: f64) -> f64 {
    let exponent = kernel_core::math::ilogb(number).clamp(T::LEAST, 1 - T::LEAST);
    kernel_core::math::ldexp(1.0, exponent - T::DIGITS)
}

#[cfg(test)]
mod tests {
    use super::{Exact, in_ulps};
    use kernel_core::half::f16;

    #[test]
    fn errors_are_in_units_of_the_exact_result() {
        assert_eq!(in_ulps(1.0_f32, Exact(1.0, 0.0)), 0.0);
        assert_eq!(in_ulps(1.0_f32.next_up(), Exact(1.0, 0.0)), 1.0);
        assert_eq!(in_ulps(1.0_f64, Exact(1.0, f64::EPSILON / 4.0)), 0.25);
        assert_eq!(in_ulps(f32::from_bits(3), Exact(f32::from_bits(1).into(), 0.0)), 2.0);
        assert_eq!(in_ulps(f64::from_bits(3), Exact(f64::from_bits(1), 0.0)), 2.0);
        assert_eq!(in_ulps(f16::from_f32(1.5), Exact(1.5 + 1.0 / 2048.0, 0.0)), 0.5);
    }

    #[test]
    fn what_is_no_number_is_right_or_wrong() {
        assert_eq!(in_ulps(f32::NAN, Exact(f64::NAN, 0.0)), 0.0);
        assert_eq!(in_ulps(f32::NAN, Exact(1.0, 0.0)), f64::INFINITY);
        assert_eq!(in_ulps(1.0_f64, Exact(f64::NAN, 0.0)), f64::INFINITY);
    }

    #[test]
    fn infinity_follows_the_greatest_number() {
        assert_eq!(in_ulps(f16::INFINITY, Exact(65520.0, 0.0)), 0.0);
        assert_eq!(in_ulps(f16::INFINITY, Exact(65504.0, 0.0)), 1.0);
        assert_eq!(in_ulps(f32::INFINITY, Exact(1e300, 0.0)), 0.0);
        assert_eq!(in_ulps(f32::INFINITY, Exact(f32::MAX.into(), 0.0)), 1.0);
        assert_eq!(in_ulps(f32::MAX, Exact(f64::from(f32::MAX) * 1.5, 0.0)), 1.0);
        assert_eq!(in_ulps(f64::INFINITY, Exact(f64::INFINITY, 0.0)), 0.0);
        assert!(in_ulps(f64::INFINITY, Exact(-f64::MAX, 0.0)) > 1e15);
    }
}
