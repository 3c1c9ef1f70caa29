//! The table of functions of floats.
//!
//! Those that are more than a few instructions are in [`elementary`](crate::elementary), but for the gamma functions and the remainder, which are
//! rare; the others are those of Rust's `f32` and `f64` and of `kernel_core::math`.

use super::frame::Lane;
use super::isa::Handler;
use super::map::Select;
use crate::elementary::great_angle::Angle;
use crate::elementary::{double, single};
use crate::program::{Kind, MathOp};
use kernel_core::math;

/// A float with the functions that Rust's own types lack.
trait Math: Lane {
    fn function(select: Select, op: MathOp) -> Handler;
    fn ldexp(select: Select) -> Handler;
    fn pown(select: Select) -> Handler;
    fn rootn(select: Select) -> Handler;
    fn exponent(select: Select, ilogb: bool) -> Handler;
    fn mantissa(select: Select) -> Handler;
}

macro_rules! math {
    ($($float:ident $own:ident)*) => {$(
        impl Math for $float {
            fn function(s: Select, op: MathOp) -> Handler {
                type F = $float;
                match op {
                    MathOp::Neg => s.map1(|x: F| -x),
                    MathOp::Abs => s.map1(F::abs),
                    MathOp::Acos => s.map1($own::inverse::acos),
                    MathOp::Acosh => s.map1($own::logarithm::acosh),
                    MathOp::Acospi => s.map1($own::inverse::acos_pi),
                    MathOp::Asin => s.map1($own::inverse::asin),
                    MathOp::Asinh => s.map1($own::logarithm::asinh),
                    MathOp::Asinpi => s.map1($own::inverse::asin_pi),
                    MathOp::Atan => s.map1($own::inverse::atan),
                    MathOp::Atanh => s.map1($own::logarithm::atanh),
                    MathOp::Atanpi => s.map1($own::inverse::atan_pi),
                    MathOp::Cbrt => s.map1($own::power::cbrt),
                    MathOp::Ceil => s.map1(F::ceil),
                    MathOp::Cos => s.usual1($own::angle::cos, $own::angle::is_great, F::cosine),
                    MathOp::Cosh => s.map1($own::exponential::cosh),
                    MathOp::Cospi => s.map1($own::angle::cos_pi),
                    MathOp::Degrees => s.map1(F::to_degrees),
                    MathOp::Erf => s.map1($own::error::erf),
                    MathOp::Erfc => s.map1($own::error::erfc),
                    MathOp::Exp => s.map1($own::exponential::exp),
                    MathOp::Exp2 => s.map1($own::exponential::exp2),
                    MathOp::Exp10 => s.map1($own::exponential::exp10),
                    MathOp::Expm1 => s.map1($own::exponential::exp_m1),
                    MathOp::Floor => s.map1(F::floor),
                    MathOp::Lgamma => s.slow1(math::ln_gamma::<F>),
                    MathOp::Log => s.map1($own::logarithm::ln),
                    MathOp::Log2 => s.map1($own::logarithm::log2),
                    MathOp::Log10 => s.map1($own::logarithm::log10),
                    MathOp::Log1p => s.map1($own::logarithm::ln_1p),
                    MathOp::Logb => s.slow1(math::logb::<F>),
                    MathOp::Radians => s.map1(F::to_radians),
                    MathOp::Recip => s.map1(F::recip),
                    MathOp::Rint => s.map1(F::round_ties_even),
                    MathOp::Round => s.map1(F::round),
                    MathOp::Rsqrt => s.map1(math::rsqrt::<F>),
                    MathOp::Sign => s.map1(math::sign::<F>),
                    MathOp::Sin => s.usual1($own::angle::sin, $own::angle::is_great, F::sine),
                    MathOp::Sinh => s.map1($own::exponential::sinh),
                    MathOp::Sinpi => s.map1($own::angle::sin_pi),
                    MathOp::Sqrt => s.map1(F::sqrt),
                    MathOp::Tan => s.usual1($own::angle::tan, $own::angle::is_great, F::tangent),
                    MathOp::Tanh => s.map1($own::exponential::tanh),
                    MathOp::Tanpi => s.map1($own::angle::tan_pi),
                    MathOp::Tgamma => s.slow1(math::gamma::<F>),
                    MathOp::Trunc => s.map1(F::trunc),
                    MathOp::Atan2 => s.map2($own::inverse::atan2),
                    MathOp::Atan2pi => s.map2($own::inverse::atan2_pi),
                    MathOp::Copysign => s.map2(F::copysign),
                    MathOp::Fdim => s.map2(math::fdim::<F>),
                    MathOp::Fmax => s.map2(F::max),
                    MathOp::Fmin => s.map2(F::min),
                    MathOp::Maxmag => s.map2(math::max_mag::<F>),
                    MathOp::Minmag => s.map2(math::min_mag::<F>),
                    MathOp::Hypot => s.map2($own::power::hypot),
                    MathOp::Nextafter => s.map2(math::next_after::<F>),
                    MathOp::Pow => s.map2($own::power::powf),
                    MathOp::Powr => s.map2($own::power::powr),
                    MathOp::Remainder => s.slow2(math::remainder::<F>),
                    MathOp::Step => s.map2(math::step::<F>),
                    MathOp::Fma => s.map3(F::mul_add),
                    MathOp::Mad => s.map3(math::mad::<F>),
                    MathOp::Mix => s.map3(math::mix::<F>),
                    MathOp::Clamp => s.map3(|x: F, low: F, high: F| x.max(low).min(high)),
                    MathOp::Smoothstep => s.map3(math::smoothstep::<F>),
                }
            }

            fn ldexp(s: Select) -> Handler {
                s.slow2(|x: $float, n: u32| math::ldexp(x, n as i32))
            }

            fn pown(s: Select) -> Handler {
                s.map2(|x: $float, n: u32| $own::power::pown(x, n as i32))
            }

            fn rootn(s: Select) -> Handler {
                s.map2(|x: $float, n: u32| $own::power::rootn(x, n as i32))
            }

            fn exponent(s: Select, ilogb: bool) -> Handler {
                if ilogb {
                    s.slow1(|x: $float| math::ilogb(x) as u32)
                } else {
                    s.slow1(|x: $float| math::frexp(x).1 as u32)
                }
            }

            fn mantissa(s: Select) -> Handler {
                s.slow1(|x: $float| math::frexp(x).0)
            }
        }
    )*};
}

math! { f32 single f64 double }

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
