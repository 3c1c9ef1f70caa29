//! The table of functions of floats.
//!
//! They are those of Rust's `f32` and `f64` wherever those exist, since host Rust is what kernels are
//! compared with; the others follow OpenCL.

use super::frame::Lane;
use super::isa::Handler;
use super::map::Select;
use crate::program::{Kind, MathOp};

/// A float with the functions that Rust's own types lack.
trait Math: Lane {
    fn function(select: Select, op: MathOp) -> Handler;
    fn ldexp(select: Select) -> Handler;
    fn pown(select: Select) -> Handler;
    fn rootn(select: Select) -> Handler;
    fn exponent(select: Select, ilogb: bool) -> Handler;
    fn mantissa(select: Select) -> Handler;
}

mod c {
    //! Functions of the C library that Rust's standard library links but does not offer.

    unsafe extern "C" {
        pub(super) safe fn erf(x: f64) -> f64;
        pub(super) safe fn erff(x: f32) -> f32;
        pub(super) safe fn erfc(x: f64) -> f64;
        pub(super) safe fn erfcf(x: f32) -> f32;
        pub(super) safe fn tgamma(x: f64) -> f64;
        pub(super) safe fn tgammaf(x: f32) -> f32;
        pub(super) safe fn lgamma(x: f64) -> f64;
        pub(super) safe fn lgammaf(x: f32) -> f32;
        pub(super) safe fn remainder(x: f64, y: f64) -> f64;
        pub(super) safe fn remainderf(x: f32, y: f32) -> f32;
    }
}

macro_rules! math {
    ($($float:ident $bits:ident $pi:expr, $mantissa:expr, $bias:expr,
       $erf:ident $erfc:ident $tgamma:ident $lgamma:ident $remainder:ident;)*) => {$(
        impl Math for $float {
            fn function(s: Select, op: MathOp) -> Handler {
                type F = $float;
                const PI: F = $pi;
                match op {
                    MathOp::Neg => s.map1(|x: F| -x),
                    MathOp::Abs => s.map1(F::abs),
                    MathOp::Acos => s.slow1(F::acos),
                    MathOp::Acosh => s.slow1(F::acosh),
                    MathOp::Acospi => s.slow1(|x: F| x.acos() / PI),
                    MathOp::Asin => s.slow1(F::asin),
                    MathOp::Asinh => s.slow1(F::asinh),
                    MathOp::Asinpi => s.slow1(|x: F| x.asin() / PI),
                    MathOp::Atan => s.slow1(F::atan),
                    // The standard library loses three digits of an `f32` near the ends.
                    MathOp::Atanh => s.slow1(|x: F| f64::from(x).atanh() as F),
                    MathOp::Atanpi => s.slow1(|x: F| x.atan() / PI),
                    MathOp::Cbrt => s.slow1(F::cbrt),
                    MathOp::Ceil => s.map1(F::ceil),
                    MathOp::Cos => s.slow1(F::cos),
                    MathOp::Cosh => s.slow1(F::cosh),
                    MathOp::Cospi => s.slow1(|x: F| (x % 2.0 * PI).cos()),
                    MathOp::Degrees => s.map1(F::to_degrees),
                    MathOp::Erf => s.slow1(|x: F| c::$erf(x)),
                    MathOp::Erfc => s.slow1(|x: F| c::$erfc(x)),
                    MathOp::Exp => s.slow1(F::exp),
                    MathOp::Exp2 => s.slow1(F::exp2),
                    MathOp::Exp10 => s.slow1(|x: F| (10.0 as F).powf(x)),
                    MathOp::Expm1 => s.slow1(F::exp_m1),
                    MathOp::Floor => s.map1(F::floor),
                    MathOp::Lgamma => s.slow1(|x: F| c::$lgamma(x)),
                    MathOp::Log => s.slow1(F::ln),
                    MathOp::Log2 => s.slow1(F::log2),
                    MathOp::Log10 => s.slow1(F::log10),
                    MathOp::Log1p => s.slow1(F::ln_1p),
                    MathOp::Logb => s.slow1(|x: F| match exponent::$float(x) {
                        _ if x == 0.0 => F::NEG_INFINITY,
                        _ if !x.is_finite() => x.abs(),
                        exponent => (exponent - 1) as F,
                    }),
                    MathOp::Radians => s.map1(F::to_radians),
                    MathOp::Recip => s.map1(F::recip),
                    MathOp::Rint => s.map1(F::round_ties_even),
                    MathOp::Round => s.map1(F::round),
                    MathOp::Rsqrt => s.map1(|x: F| 1.0 / x.sqrt()),
                    MathOp::Sign => s.map1(|x: F| match x {
                        _ if x > 0.0 => 1.0,
                        _ if x < 0.0 => -1.0,
                        _ if x == 0.0 => x,
                        _ => 0.0,
                    }),
                    MathOp::Sin => s.slow1(F::sin),
                    MathOp::Sinh => s.slow1(F::sinh),
                    MathOp::Sinpi => s.slow1(|x: F| (x % 2.0 * PI).sin()),
                    MathOp::Sqrt => s.map1(F::sqrt),
                    MathOp::Tan => s.slow1(F::tan),
                    MathOp::Tanh => s.slow1(F::tanh),
                    MathOp::Tanpi => s.slow1(|x: F| (x % 1.0 * PI).tan()),
                    MathOp::Tgamma => s.slow1(|x: F| c::$tgamma(x)),
                    MathOp::Trunc => s.map1(F::trunc),
                    MathOp::Atan2 => s.slow2(F::atan2),
                    MathOp::Atan2pi => s.slow2(|y: F, x: F| y.atan2(x) / PI),
                    MathOp::Copysign => s.map2(F::copysign),
                    MathOp::Fdim => s.map2(|x: F, y: F| if x <= y { 0.0 } else { x - y }),
                    MathOp::Fmax => s.map2(F::max),
                    MathOp::Fmin => s.map2(F::min),
                    MathOp::Maxmag => s.map2(|x: F, y: F| match (x.abs(), y.abs()) {
                        (a, b) if a > b => x,
                        (a, b) if b > a => y,
                        _ => x.max(y),
                    }),
                    MathOp::Minmag => s.map2(|x: F, y: F| match (x.abs(), y.abs()) {
                        (a, b) if a < b => x,
                        (a, b) if b < a => y,
                        _ => x.min(y),
                    }),
                    MathOp::Hypot => s.slow2(F::hypot),
                    MathOp::Nextafter => s.map2(|x: F, y: F| match x {
                        _ if x.is_nan() || y.is_nan() => F::NAN,
                        _ if x == y => y,
                        _ if x < y => x.next_up(),
                        _ => x.next_down(),
                    }),
                    MathOp::Pow | MathOp::Powr => s.slow2(F::powf),
                    MathOp::Remainder => s.slow2(|x: F, y: F| c::$remainder(x, y)),
                    MathOp::Step => s.map2(|edge: F, x: F| if x < edge { 0.0 } else { 1.0 }),
                    MathOp::Fma => s.map3(F::mul_add),
                    MathOp::Mad => s.map3(|a: F, b: F, c: F| a * b + c),
                    MathOp::Mix => s.map3(|x: F, y: F, a: F| x + (y - x) * a),
                    MathOp::Clamp => s.map3(|x: F, low: F, high: F| x.max(low).min(high)),
                    MathOp::Smoothstep => s.map3(|low: F, high: F, x: F| {
                        let t = ((x - low) / (high - low)).max(0.0).min(1.0);
                        t * t * (3.0 - 2.0 * t)
                    }),
                }
            }

            fn ldexp(s: Select) -> Handler {
                s.slow2(|x: $float, n: u32| {
                    // Three steps cover the whole range of exponents without rounding twice where it matters.
                    let n = (n as i32).clamp(-3 * $bias, 3 * $bias);
                    let step = n.clamp(-$bias + 1, $bias);
                    let second = (n - step).clamp(-$bias + 1, $bias);
                    let third = (n - step - second).clamp(-$bias + 1, $bias);
                    let power = |n: i32| $float::from_bits(((n + $bias) as $bits) << $mantissa);
                    x * power(step) * power(second) * power(third)
                })
            }

            fn pown(s: Select) -> Handler {
                s.slow2(|x: $float, n: u32| x.powi(n as i32))
            }

            fn rootn(s: Select) -> Handler {
                s.slow2(|x: $float, n: u32| {
                    let n = n as i32;
                    let root = x.abs().powf(1.0 / n as $float);
                    match n {
                        0 => $float::NAN,
                        _ if x.is_sign_positive() => root,
                        _ if n % 2 != 0 => -root,
                        _ if x == 0.0 => root,
                        _ => $float::NAN,
                    }
                })
            }

            fn exponent(s: Select, ilogb: bool) -> Handler {
                if ilogb {
                    s.slow1(|x: $float| match exponent::$float(x) {
                        _ if x == 0.0 || x.is_nan() => i32::MIN as u32,
                        _ if x.is_infinite() => i32::MAX as u32,
                        exponent => (exponent - 1) as u32,
                    })
                } else {
                    s.slow1(|x: $float| if x == 0.0 || !x.is_finite() { 0 } else { exponent::$float(x) as u32 })
                }
            }

            fn mantissa(s: Select) -> Handler {
                s.slow1(|x: $float| {
                    if x == 0.0 || !x.is_finite() {
                        return x;
                    }
                    let (scaled, _) = exponent::normal::$float(x);
                    let fraction = scaled.to_bits() & !((2 * $bias as $bits + 1) << $mantissa);
                    $float::from_bits(fraction | ($bias as $bits - 1) << $mantissa)
                })
            }
        }
    )*};
}

mod exponent {
    //! The `e` of `x = m * 2^e` with `m` in one half to one.

    pub(super) fn f32(x: f32) -> i32 {
        let (scaled, by) = normal::f32(x);
        (scaled.to_bits() >> 23 & 0xff) as i32 - 126 - by
    }

    pub(super) fn f64(x: f64) -> i32 {
        let (scaled, by) = normal::f64(x);
        (scaled.to_bits() >> 52 & 0x7ff) as i32 - 1022 - by
    }

    pub(super) mod normal {
        //! The same number times a power of two that makes it normal, and the power.

        pub(in super::super) fn f32(x: f32) -> (f32, i32) {
            if x.is_subnormal() { (x * 16_777_216.0, 24) } else { (x, 0) }
        }

        pub(in super::super) fn f64(x: f64) -> (f64, i32) {
            if x.is_subnormal() { (x * 18_014_398_509_481_984.0, 54) } else { (x, 0) }
        }
    }
}

math! {
    f32 u32 std::f32::consts::PI, 23, 127, erff erfcf tgammaf lgammaf remainderf;
    f64 u64 std::f64::consts::PI, 52, 1023, erf erfc tgamma lgamma remainder;
}

/// The handler of a function of one to three floats.
pub(super) fn function(select: Select, op: MathOp, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::function(select, op) } else { f32::function(select, op) }
}

/// The handler of [`crate::program::Inst::Ldexp`].
pub(super) fn ldexp(select: Select, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::ldexp(select) } else { f32::ldexp(select) }
}

/// The handler of [`crate::program::Inst::Pown`].
pub(super) fn pown(select: Select, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::pown(select) } else { f32::pown(select) }
}

/// The handler of [`crate::program::Inst::Rootn`].
pub(super) fn rootn(select: Select, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::rootn(select) } else { f32::rootn(select) }
}

/// The handler of [`crate::program::Inst::Exponent`].
pub(super) fn exponent(select: Select, kind: Kind, ilogb: bool) -> Handler {
    if kind == Kind::F64 { f64::exponent(select, ilogb) } else { f32::exponent(select, ilogb) }
}

/// The handler of [`crate::program::Inst::Mantissa`].
pub(super) fn mantissa(select: Select, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::mantissa(select) } else { f32::mantissa(select) }
}
