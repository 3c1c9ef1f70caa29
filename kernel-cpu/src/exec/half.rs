//! Half precision, in which nothing is computed: `crate::lower` has that done in single precision.

/// The float that a half stands for; exact.
pub(super) fn to_f32(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let exponent = u32::from(half >> 10 & 0x1f);
    let fraction = u32::from(half & 0x3ff);
    let magnitude = match exponent {
        // Subnormal: the fraction counts units of 2^-24.
        0 => (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        31 if fraction == 0 => 0x7f80_0000,
        // As processors have it, a NaN is quiet.
        31 => 0x7fc0_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// The nearest half, ties to even.
pub(super) fn from_f64(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    // Halfway between the largest half and the next power of two, which would round up to infinity.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // The exponent of the unit in the last place; subnormals share the smallest.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let units = (magnitude / f64::powi(2.0, exponent - 10)).round_ties_even() as u16;
    // Adding lets a fraction that was rounded up carry into the exponent.
    let implied = ((exponent + 14) as u16) << 10;
    sign | (implied + units)
}

#[cfg(test)]
mod tests {
    use super::{from_f64, to_f32};

    #[test]
    fn every_half_survives_the_round_trip() {
        for half in 0..=u16::MAX {
            let float = to_f32(half);
            if float.is_nan() {
                assert!(to_f32(from_f64(f64::from(float))).is_nan());
            } else {
                assert_eq!(from_f64(f64::from(float)), half, "{float}");
            }
        }
    }

    #[test]
    fn ties_go_to_even() {
        assert_eq!(from_f64(1.0 + 1.0 / 2048.0), 0x3c00);
        assert_eq!(from_f64(1.0 + 3.0 / 2048.0), 0x3c02);
        assert_eq!(from_f64(65519.0), 0x7bff);
        assert_eq!(from_f64(65520.0), 0x7c00);
    }
}
