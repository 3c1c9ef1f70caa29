//! The functions of `math` where their meaning is a matter of definition: zeros, infinities, NaN, ties and limits.

#![cfg(feature = "std")]

use kernel_core::math;

/// Checks that a result is this float, or NaN.
fn check(found: f64, expected: f64) {
    let same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
    assert!(same, "{found:?}, not {expected:?}");
}

const INF: f64 = f64::INFINITY;

#[test]
fn half_turns_are_exact_at_quarters() {
    for k in -8..=8 {
        let x = f64::from(k);
        check(math::sin_pi(x), 0.0_f64.copysign(x));
        check(math::cos_pi(x), if k % 2 == 0 { 1.0 } else { -1.0 });
        check(math::tan_pi(x), if k % 2 == 0 { 0.0_f64.copysign(x) } else { -0.0_f64.copysign(x) });
        check(math::sin_pi(x + 0.5), if k % 2 == 0 { 1.0 } else { -1.0 });
        check(math::cos_pi(x + 0.5), 0.0);
        check(math::tan_pi(x + 0.5), if k % 2 == 0 { INF } else { -INF });
    }
    check(math::sin_pi(-0.0), -0.0);
    check(math::sin_pi(1e300), 0.0);
    check(math::cos_pi(INF), f64::NAN);
    check(math::tan_pi(0.25), (std::f64::consts::PI * 0.25).tan());
}

#[test]
fn inverse_functions_reach_their_limits() {
    check(math::asin_pi(1.0), 0.5);
    check(math::acos_pi(-1.0), 1.0);
    check(math::atan_pi(-INF), -0.5);
    check(math::atan2_pi(0.0, -1.0), 1.0);
    check(math::atan2_pi(-0.0, -1.0), -1.0);
    check(math::asin_pi(1.5), f64::NAN);
}

#[test]
fn floats_are_taken_apart_and_put_together() {
    let least = f64::from_bits(1);
    for x in [1.0, -0.75, 3.0, f64::MAX, f64::MIN_POSITIVE, least, -least * 3.0] {
        let (mantissa, exponent) = math::frexp(x);
        assert!((0.5..1.0).contains(&mantissa.abs()), "{x:e}");
        check(math::ldexp(mantissa, exponent), x);
        assert_eq!(math::ilogb(x), exponent - 1);
        check(math::logb(x), f64::from(exponent - 1));
    }
    for x in [0.0, -0.0, INF, f64::NAN] {
        let (mantissa, exponent) = math::frexp(x);
        check(mantissa, x);
        assert_eq!(exponent, 0);
    }
    assert_eq!([0.0, INF, f64::NAN].map(math::ilogb), [i32::MIN, i32::MAX, i32::MAX]);
    assert_eq!([0.0, -INF].map(math::logb), [-INF, INF]);
    assert_eq!(math::frexp(f32::from_bits(1)), (0.5, -148));
}

#[test]
fn scaling_rounds_once() {
    // Halfway between two subnormal numbers; rounded first to 53 bits at another place, it would go the other way.
    let x = f64::from_bits(0x3ff0_0000_0000_0001);
    check(math::ldexp(x * 3.0, -1075), f64::from_bits(2));
    check(math::ldexp(1.5, -1074), f64::from_bits(2));
    check(math::ldexp(0.5, -1074), 0.0);
    check(math::ldexp(x, -1075), f64::from_bits(1));
    check(math::ldexp(f64::MAX, i32::MIN), 0.0);
    check(math::ldexp(f64::from_bits(1), 2097), 2.0_f64.powi(1023));
    check(math::ldexp(f64::from_bits(1), i32::MAX), INF);
    assert_eq!(math::ldexp(f32::MAX, -277), f32::from_bits(1));
}

#[test]
fn remainders_are_those_of_the_nearest_multiple() {
    check(math::remainder(5.0, 2.0), 1.0);
    check(math::remainder(7.0, 2.0), -1.0);
    check(math::remainder(3.0, 2.0), -1.0);
    check(math::remainder(-5.0, 5.0), -0.0);
    check(math::remainder(1.0, INF), 1.0);
    check(math::remainder(f64::MAX, f64::MAX), 0.0);
    check(math::remainder(1.0, 0.0), f64::NAN);
    check(math::remainder(INF, 1.0), f64::NAN);
    let least = f64::from_bits(1);
    check(math::remainder(least * 3.0, least * 2.0), -least);
    check(math::remainder(least * 5.0, least * 2.0), least);
}

#[test]
fn roots_and_powers_have_their_limits() {
    check(math::rootn(-27.0, 3), -3.0);
    check(math::rootn(-27.0, 2), f64::NAN);
    check(math::rootn(-0.0, -3), -INF);
    check(math::rootn(-0.0, -2), INF);
    check(math::rootn(-0.0, 2), 0.0);
    check(math::rootn(8.0, 0), f64::NAN);
    check(math::rootn(2.0, -1), 0.5);
    check(math::rootn(f64::MAX, 1), f64::MAX);
    for degenerate in [(0.0, 0.0), (INF, 0.0), (1.0, INF), (-1.0, 2.0), (f64::NAN, 0.0), (2.0, f64::NAN)] {
        check(math::powr(degenerate.0, degenerate.1), f64::NAN);
    }
    check(math::powr(-0.0, -1.0), INF);
    check(math::powr(0.0, 2.0), 0.0);
    check(math::rsqrt(-0.0), -INF);
}

#[test]
fn choices_follow_the_magnitude() {
    check(math::max_mag(-3.0, 2.0), -3.0);
    check(math::min_mag(-3.0, 2.0), 2.0);
    check(math::max_mag(-3.0, 3.0), 3.0);
    check(math::min_mag(-3.0, 3.0), -3.0);
    check(math::max_mag(f64::NAN, 3.0), 3.0);
    check(math::fdim(INF, INF), 0.0);
    check(math::fdim(1.0, f64::NAN), f64::NAN);
    check(math::next_after(0.0, -1.0), -f64::from_bits(1));
    check(math::next_after(0.0, -0.0), -0.0);
    check(math::next_after(f64::MAX, INF), INF);
    check(math::sign(f64::NAN), 0.0);
    check(math::sign(-0.0), -0.0);
    check(math::sign(-7.0), -1.0);
    check(math::smoothstep(0.0, 2.0, 1.0), 0.5);
    check(math::step(1.0, 1.0), 1.0);
}

#[test]
fn special_functions_have_their_values() {
    check(math::gamma(5.0), 24.0);
    check(math::gamma(-2.0), f64::NAN);
    check(math::ln_gamma(1.0), 0.0);
    check(math::ln_gamma(-2.0), INF);
    check(math::erf(INF), 1.0);
    check(math::erfc(INF), 0.0);
    assert_eq!(math::erfc(9.0_f32), 4.137_031_7e-37);
    assert_eq!(math::exp10(-3.0_f32), 1e-3);
}

#[test]
fn integers_round_as_they_say() {
    assert_eq!((math::hadd(-3_i8, 0), math::rhadd(-3_i8, 0)), (-2, -1));
    assert_eq!((math::hadd(u64::MAX, u64::MAX), math::rhadd(u64::MAX, 0)), (u64::MAX, 1 << 63));
    assert_eq!(math::mul_hi(i64::MIN, i64::MIN), 1 << 62);
    assert_eq!(math::mul_hi(-1_i32, 1), -1);
    assert_eq!(math::bitselect(0b1100_u8, 0b1010, 0b0110), 0b1010);
    assert_eq!(math::mad24(-3, 5, i32::MIN), i32::MIN.wrapping_sub(15));
}
