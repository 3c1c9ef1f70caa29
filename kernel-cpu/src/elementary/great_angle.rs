//! Sine, cosine and tangent of great angles.
//!
//! C libraries take great angles to a quadrant with too few digits for those that are next to a multiple of a right angle: glibc's cosine
//! of 5.319372648326541e255 is 8 units in the last place wrong, and OpenCL allows 4. Here as much of 2/π is multiplied as has any influence
//! (the method of Payne and Hanek).

use super::double::angle::GREATEST;
use std::f64::consts::FRAC_PI_2;

/// A float with functions of angles.
pub(crate) trait Angle: Sized {
    fn sine(self) -> Self;
    fn cosine(self) -> Self;
    fn tangent(self) -> Self;
}

impl Angle for f32 {
    fn sine(self) -> Self {
        f64::from(self).sine() as Self
    }

    fn cosine(self) -> Self {
        f64::from(self).cosine() as Self
    }

    fn tangent(self) -> Self {
        f64::from(self).tangent() as Self
    }
}

impl Angle for f64 {
    fn sine(self) -> Self {
        let Some(angle) = Reduced::of(self) else { return self.sin() };
        angle.sine_after(0)
    }

    fn cosine(self) -> Self {
        let Some(angle) = Reduced::of(self) else { return self.cos() };
        angle.sine_after(1)
    }

    fn tangent(self) -> Self {
        let Some(Reduced { quadrant, rest, lacking }) = Reduced::of(self) else { return self.tan() };
        let tangent = rest.tan();
        let tangent = lacking.mul_add(tangent.mul_add(tangent, 1.0), tangent);
        if quadrant % 2 == 0 { tangent } else { -tangent.recip() }
    }
}

/// What [`FRAC_PI_2`] lacks.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// The binary digits of 2/π after the point.
const FRAC_2_PI: [u64; 20] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];

/// An angle as a number of right angles and a rest of at most half of one.
struct Reduced {
    quadrant: u8,
    rest: f64,
    /// What the rest lacks.
    lacking: f64,
}

impl Reduced {
    /// A great angle, taken to its quadrant.
    fn of(angle: f64) -> Option<Self> {
        if !angle.is_finite() || angle.abs() <= GREATEST {
            return None;
        }
        let (turns, fraction) = right_angles(angle.abs());
        let (near, rest) = (fraction.0 * FRAC_PI_2, fraction.0.mul_add(FRAC_PI_2, -(fraction.0 * FRAC_PI_2)));
        let rest = fraction.0.mul_add(FRAC_PI_2_REST, fraction.1.mul_add(FRAC_PI_2, rest));
        let (quadrant, sign) = if angle < 0.0 { (turns.wrapping_neg(), -1.0) } else { (turns, 1.0) };
        Some(Self { quadrant: quadrant % 4, rest: sign * near, lacking: sign * rest })
    }

    /// The sine of the angle that is so many quadrants further on.
    fn sine_after(self, quadrants: u8) -> f64 {
        let Self { quadrant, rest, lacking } = self;
        let (sine, cosine) = rest.sin_cos();
        let (value, slope) =
            if (quadrant + quadrants).is_multiple_of(2) { (sine, cosine) } else { (cosine, -sine) };
        let value = lacking.mul_add(slope, value);
        if (quadrant + quadrants) % 4 < 2 { value } else { -value }
    }
}

/// How many right angles a positive angle is, modulo 4, and the fraction that is left, from minus one half to one half, as the sum of two
/// numbers.
fn right_angles(angle: f64) -> (u8, (f64, f64)) {
    let mantissa = angle.to_bits() & ((1 << 52) - 1) | 1 << 52;
    let exponent = (angle.to_bits() >> 52) as i32 - 1075;
    // Digits before these are multiplied to whole turns; the first one after is worth 2, so the product is modulo 4.
    let digits: [u64; 4] = std::array::from_fn(|word| digits_from(exponent - 2 + 64 * word as i32));
    let mut product = multiply(digits, mantissa);
    let mut turns = (product[0] >> 62) as u8;
    product[0] &= (1 << 62) - 1;
    let is_upper_half = product[0] >> 61 == 1;
    if is_upper_half {
        turns = turns.wrapping_add(1);
        product = negated(product);
        product[0] &= (1 << 62) - 1;
    }
    let (near, rest) = as_fraction(product);
    (turns, if is_upper_half { (-near, -rest) } else { (near, rest) })
}

/// 64 digits of 2/π from a position on; there are zeros before the first.
fn digits_from(position: i32) -> u64 {
    let word =
        |index: i32| usize::try_from(index).ok().and_then(|index| FRAC_2_PI.get(index)).copied().unwrap_or(0);
    let (index, offset) = (position.div_euclid(64), position.rem_euclid(64));
    let pair = u128::from(word(index)) << 64 | u128::from(word(index + 1));
    (pair >> (64 - offset)) as u64
}

/// The low words of a product; words are from the most significant on.
fn multiply(number: [u64; 4], factor: u64) -> [u64; 4] {
    let mut product = [0; 4];
    let mut carry = 0;
    for (digit, &word) in product.iter_mut().zip(&number).rev() {
        let sum = u128::from(word) * u128::from(factor) + carry;
        (*digit, carry) = (sum as u64, sum >> 64);
    }
    product
}

/// The two's complement.
fn negated(number: [u64; 4]) -> [u64; 4] {
    let mut carry = true;
    let mut negated = [0; 4];
    for (digit, &word) in negated.iter_mut().zip(&number).rev() {
        (*digit, carry) = (!word).overflowing_add(carry.into());
    }
    negated
}

/// A number of 256 digits, of which the first two are before the point, as the sum of two numbers.
fn as_fraction(number: [u64; 4]) -> (f64, f64) {
    let zeros = number.iter().take_while(|word| **word == 0).count();
    let word = |index: usize| u128::from(number.get(index).copied().unwrap_or(0));
    let shift = number.get(zeros).map_or(0, |word| word.leading_zeros());
    let top = word(zeros) << 64 | word(zeros + 1);
    let top = if shift == 0 { top } else { top << shift | word(zeros + 2) >> (64 - shift) };
    let scale = f64::powi(2.0, 2 - 128 - 64 * zeros as i32 - shift as i32);
    // The first 53 digits are a number that needs no rounding, and so are the next.
    let near = top >> 75;
    let rest = (top << 53) >> 75;
    (near as f64 * 2.0_f64.powi(75) * scale, rest as f64 * 2.0_f64.powi(22) * scale)
}

#[cfg(test)]
mod tests {
    use super::{Angle, GREATEST};

    #[test]
    fn what_is_next_to_a_multiple_of_a_right_angle_is_exact() {
        // The double that is nearest to one, and its exact cosine, sine and tangent.
        let angle = 5.319_372_648_326_541e255_f64;
        assert_eq!(angle.cosine(), -4.687_165_924_254_628e-19);
        assert_eq!(angle.sine(), 1.0);
        assert_eq!((-angle).sine(), -1.0);
        assert_eq!(angle.tangent(), -2.133_485_385_753_704e18);
    }

    #[test]
    fn other_great_angles_are_as_in_the_c_library() {
        for step in 0..10_000 {
            let angle = (GREATEST + f64::from(step)) * 1.001_f64.powi(step * 60);
            for angle in [angle, -angle] {
                let is_near = |own: f64, other: f64| (own - other).abs() <= other.abs() * 4.0 * f64::EPSILON;
                assert!(is_near(angle.sine(), angle.sin()), "{angle:e}");
                assert!(is_near(angle.cosine(), angle.cos()), "{angle:e}");
                assert!(is_near(angle.tangent(), angle.tan()), "{angle:e}");
            }
        }
    }

    #[test]
    fn what_is_no_angle_stays_none() {
        assert!(f64::INFINITY.sine().is_nan() && f64::NAN.cosine().is_nan());
        assert_eq!((-0.0_f64).sine().to_bits(), (-0.0_f64).to_bits());
    }
}
