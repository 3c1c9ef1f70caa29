//! The functions beside those of Rust's standard library and of the C library.

use super::{double, single, widened};

mod c {
    unsafe extern "C" {
        pub(super) safe fn erf(x: f64) -> f64;
        pub(super) safe fn erfc(x: f64) -> f64;
        pub(super) safe fn asinh(x: f64) -> f64;
        pub(super) safe fn acosh(x: f64) -> f64;
        pub(super) safe fn atanh(x: f64) -> f64;
    }
}

/// Numbers around which functions have cases of their own.
const SPECIAL: [f64; 30] = [
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1.0,
    -1.0,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    1e-45,
    1.17e-38,
    f64::MAX,
    f64::MIN,
    3.4e38,
    -3.4e38,
    0.5,
    -0.5,
    2.0,
    3.0,
    -3.0,
    -3.5,
    16_777_215.0,
    -16_777_217.0,
    9_007_199_254_740_991.0,
    1e300,
    709.9,
    -745.1,
    88.8,
];

/// The special numbers, some of every size and sign, and some from where arguments are in practice.
fn samples() -> impl Iterator<Item = f64> {
    let mut state = 0x1234_5678_9abc_def0_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let drawn = (0..6_000).map(move |index| {
        let (bits, part) = (next(), next() as f64 / u64::MAX as f64);
        match index % 3 {
            0 => f64::from_bits(bits),
            1 => (part - 0.5) * 80.0,
            _ => (part - 0.5) * 2.5,
        }
    });
    SPECIAL.into_iter().chain(drawn)
}

/// A row of a table of functions of one number, as [`row`] makes it.
type One = (&'static str, fn(f32) -> f32, f64, fn(f64) -> f64, fn(f64) -> f64, f64);

/// A row of a table of functions of two numbers.
type Two = (&'static str, fn(f32, f32) -> f32, f64, fn(f64, f64) -> f64, fn(f64, f64) -> f64, f64);

/// How many units in the last place two numbers are apart; infinitely many if only one of them is a number, or if the signs of zeros differ.
fn units(own: f64, other: f64, least: f64, epsilon: f64) -> f64 {
    if own.to_bits() == other.to_bits() || (own.is_nan() && other.is_nan()) {
        return 0.0;
    }
    if !own.is_finite() || !other.is_finite() || (own == 0.0 && other == 0.0) {
        return f64::INFINITY;
    }
    let exponent = other.abs().max(least).log2().floor();
    (own - other).abs() / exponent.exp2() / epsilon
}

/// Holds that a function of `f64` is near another, which is exact to a unit.
fn is_near(name: &str, limit: f64, x: &[f64], own: f64, other: f64) {
    let units = units(own, other, f64::MIN_POSITIVE, f64::EPSILON);
    assert!(units <= limit, "{name} of {x:?} is {own:e}, not {other:e}: {units} units");
}

/// Holds that a function of `f32` is near the result of one of `f64`, or that result rounded where it has no number of its own size.
fn is_near_single(name: &str, limit: f64, x: &[f64], own: f32, other: f64) {
    let rounded = other as f32;
    let is_same = own.to_bits() == rounded.to_bits() || (own.is_nan() && rounded.is_nan());
    // The number that would be next to the greatest one stands for infinity.
    let number = if own.is_infinite() {
        f64::from(f32::MAX) * (1.0 + f64::from(f32::EPSILON) / 2.0)
    } else {
        own.abs().into()
    };
    let units = units(number.copysign(own.into()), other, f32::MIN_POSITIVE.into(), f32::EPSILON.into());
    assert!(is_same || units <= limit, "{name} of {x:?} is {own:e}, not {other:e}: {units} units");
}

/// By how many units a function of `f32` may be wrong that is computed with double precision.
const WIDENED: f64 = 0.51;

/// A row of a table of functions: its name, the function of `f32` and how many units it may be wrong by, the function of `f64`, another one of
/// `f64`, and how many units those two may be apart.
macro_rules! row {
    ($file:ident::$name:ident($($x:ident),+) $single:literal, $other:expr, $limit:literal) => {
        (stringify!($name), single::$file::$name, $single, double::$file::$name, $other, $limit)
    };
}

#[test]
fn functions_of_one_number_are_as_exact_as_they_are_said_to_be() {
    let rows: [One; 25] = [
        row!(exponential::exp(x) 1.1, f64::exp, 1.0),
        row!(exponential::exp2(x) 1.1, f64::exp2, 1.0),
        row!(exponential::exp10(x) 1.3, |x| 10_f64.powf(x), 1.0),
        row!(exponential::exp_m1(x) 1.8, f64::exp_m1, 2.0),
        row!(exponential::sinh(x) 2.3, f64::sinh, 3.0),
        row!(exponential::cosh(x) 1.6, f64::cosh, 3.0),
        row!(exponential::tanh(x) 2.5, f64::tanh, 3.0),
        row!(logarithm::ln(x) 1.1, f64::ln, 1.0),
        row!(logarithm::log2(x) 1.2, f64::log2, 1.0),
        row!(logarithm::log10(x) 1.1, f64::log10, 2.0),
        row!(logarithm::ln_1p(x) 1.1, f64::ln_1p, 1.0),
        row!(logarithm::asinh(x) 2.0, |x| c::asinh(x), 2.0),
        row!(logarithm::acosh(x) 2.2, |x| c::acosh(x), 2.0),
        row!(logarithm::atanh(x) 2.2, |x| c::atanh(x), 2.0),
        row!(power::cbrt(x) 0.9, f64::cbrt, 1.0),
        row!(inverse::asin(x) 2.3, f64::asin, 1.0),
        row!(inverse::acos(x) 1.2, f64::acos, 1.0),
        row!(inverse::atan(x) 1.8, f64::atan, 1.6),
        row!(inverse::asin_pi(x) 2.8, kernel_core::math::asin_pi, 2.0),
        row!(inverse::acos_pi(x) 2.4, kernel_core::math::acos_pi, 2.0),
        row!(inverse::atan_pi(x) 2.9, kernel_core::math::atan_pi, 1.6),
        row!(angle::sin_pi(x) 2.2, kernel_core::math::sin_pi, 2.0),
        row!(angle::cos_pi(x) 2.4, kernel_core::math::cos_pi, 2.0),
        row!(error::erf(x) 1.2, |x| c::erf(x), 2.0),
        row!(error::erfc(x) 3.8, |x| c::erfc(x), 4.0),
    ];
    for (name, of_f32, limit_of_f32, of_f64, other, limit) in rows {
        for x in samples() {
            is_near(name, limit, &[x], of_f64(x), other(x));
            let x = x as f32;
            is_near_single(name, limit_of_f32, &[x.into()], of_f32(x), other(x.into()));
        }
    }
}

#[test]
fn angles_that_are_not_great_are_as_exact_as_they_are_said_to_be() {
    let rows: [One; 3] = [
        row!(angle::sin(x) 2.1, f64::sin, 2.0),
        row!(angle::cos(x) 2.2, f64::cos, 2.0),
        row!(angle::tan(x) 3.6, f64::tan, 2.0),
    ];
    for (name, of_f32, limit_of_f32, of_f64, other, limit) in rows {
        for x in samples().filter(|x| !double::angle::is_great(*x) || x.is_infinite()) {
            is_near(name, limit, &[x], of_f64(x), other(x));
        }
        for x in samples().map(|x| x as f32).filter(|x| !single::angle::is_great(*x) || x.is_infinite()) {
            is_near_single(name, limit_of_f32, &[x.into()], of_f32(x), other(x.into()));
        }
    }
}

#[test]
fn tangents_of_half_turns_have_the_zeros_and_infinities_of_ieee_754() {
    let (name, of_f32, limit_of_f32, of_f64, other, limit): One =
        row!(angle::tan_pi(x) 3.0, kernel_core::math::tan_pi, 3.0);
    for x in samples().chain((-8..=8).map(|x| f64::from(x) / 2.0)) {
        is_near(name, limit, &[x], of_f64(x), other(x));
        let x = x as f32;
        is_near_single(name, limit_of_f32, &[x.into()], of_f32(x), other(x.into()));
    }
}

#[test]
fn functions_of_two_numbers_are_as_exact_as_they_are_said_to_be() {
    let rows: [Two; 5] = [
        row!(power::powf(x, y) 3.0, f64::powf, 1.0),
        row!(power::powr(x, y) 3.0, kernel_core::math::powr, 1.0),
        row!(power::hypot(x, y) 1.3, f64::hypot, 1.0),
        row!(inverse::atan2(x, y) 1.9, f64::atan2, 1.6),
        row!(inverse::atan2_pi(x, y) 3.1, kernel_core::math::atan2_pi, 1.6),
    ];
    let special = SPECIAL.into_iter().flat_map(|x| SPECIAL.map(|y| (x, y)));
    let pairs: Vec<_> = special.chain(samples().zip(samples().skip(1))).collect();
    for (name, of_f32, limit_of_f32, of_f64, other, limit) in rows {
        for &(x, y) in &pairs {
            is_near(name, limit, &[x, y], of_f64(x, y), other(x, y));
            let (x, y) = (x as f32, y as f32);
            is_near_single(
                name,
                limit_of_f32,
                &[x.into(), y.into()],
                of_f32(x, y),
                other(x.into(), y.into()),
            );
        }
    }
}

#[test]
fn powers_and_roots_of_integers_are_as_exact_as_they_are_said_to_be() {
    for x in samples() {
        for n in [0, 1, -1, 2, 3, -3, 7, 31, -64, 16_777_217, i32::MAX, i32::MIN] {
            is_near("pown", 1.0, &[x, n.into()], double::power::powf(x, n.into()), x.powf(n.into()));
            is_near(
                "rootn",
                1.0,
                &[x, n.into()],
                double::power::rootn(x, n.into()),
                kernel_core::math::rootn(x, n),
            );
            let x = x as f32;
            let wide = f64::from(x);
            is_near_single(
                "pown",
                WIDENED,
                &[wide, n.into()],
                widened::power::powf(f64::from(x), n.into()) as f32,
                wide.powf(n.into()),
            );
            let root = kernel_core::math::rootn(wide, n);
            is_near_single(
                "rootn",
                WIDENED,
                &[wide, n.into()],
                widened::power::rootn(f64::from(x), n.into()) as f32,
                root,
            );
        }
    }
}
