//! The table of functions of floats.
//!
//! They are those of Rust's `f32` and `f64` wherever those exist, since host Rust is what kernels are
//! compared with, but for great angles ([`angle`](super::angle)); the others are those of `kernel_core::math`.

use super::angle::Angle;
use super::frame::Lane;
use super::isa::Handler;
use super::map::Select;
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

mod c {
    //! Functions of the C library, where Rust's own lose digits: near 0, near 1 and for great numbers.

    unsafe extern "C" {
        pub(super) safe fn asinh(x: f64) -> f64;
        pub(super) safe fn acosh(x: f64) -> f64;
        pub(super) safe fn atanh(x: f64) -> f64;
    }
}

macro_rules! math {
    ($($float:ident)*) => {$(
        impl Math for $float {
            fn function(s: Select, op: MathOp) -> Handler {
                type F = $float;
                match op {
                    MathOp::Neg => s.map1(|x: F| -x),
                    MathOp::Abs => s.map1(F::abs),
                    MathOp::Acos => s.slow1(F::acos),
                    MathOp::Acosh => s.slow1(|x: F| c::acosh(x.into()) as F),
                    MathOp::Acospi => s.slow1(math::acos_pi::<F>),
                    MathOp::Asin => s.slow1(F::asin),
                    MathOp::Asinh => s.slow1(|x: F| c::asinh(x.into()) as F),
                    MathOp::Asinpi => s.slow1(math::asin_pi::<F>),
                    MathOp::Atan => s.slow1(F::atan),
                    MathOp::Atanh => s.slow1(|x: F| c::atanh(x.into()) as F),
                    MathOp::Atanpi => s.slow1(math::atan_pi::<F>),
                    MathOp::Cbrt => s.slow1(F::cbrt),
                    MathOp::Ceil => s.map1(F::ceil),
                    MathOp::Cos => s.slow1(F::cosine),
                    MathOp::Cosh => s.slow1(F::cosh),
                    MathOp::Cospi => s.slow1(math::cos_pi::<F>),
                    MathOp::Degrees => s.map1(F::to_degrees),
                    MathOp::Erf => s.slow1(math::erf::<F>),
                    MathOp::Erfc => s.slow1(math::erfc::<F>),
                    MathOp::Exp => s.slow1(F::exp),
                    MathOp::Exp2 => s.slow1(F::exp2),
                    MathOp::Exp10 => s.slow1(math::exp10::<F>),
                    MathOp::Expm1 => s.slow1(F::exp_m1),
                    MathOp::Floor => s.map1(F::floor),
                    MathOp::Lgamma => s.slow1(math::ln_gamma::<F>),
                    MathOp::Log => s.slow1(F::ln),
                    MathOp::Log2 => s.slow1(F::log2),
                    MathOp::Log10 => s.slow1(F::log10),
                    MathOp::Log1p => s.slow1(F::ln_1p),
                    MathOp::Logb => s.slow1(math::logb::<F>),
                    MathOp::Radians => s.map1(F::to_radians),
                    MathOp::Recip => s.map1(F::recip),
                    MathOp::Rint => s.map1(F::round_ties_even),
                    MathOp::Round => s.map1(F::round),
                    MathOp::Rsqrt => s.map1(math::rsqrt::<F>),
                    MathOp::Sign => s.map1(math::sign::<F>),
                    MathOp::Sin => s.slow1(F::sine),
                    MathOp::Sinh => s.slow1(F::sinh),
                    MathOp::Sinpi => s.slow1(math::sin_pi::<F>),
                    MathOp::Sqrt => s.map1(F::sqrt),
                    MathOp::Tan => s.slow1(F::tangent),
                    MathOp::Tanh => s.slow1(F::tanh),
                    MathOp::Tanpi => s.slow1(math::tan_pi::<F>),
                    MathOp::Tgamma => s.slow1(math::gamma::<F>),
                    MathOp::Trunc => s.map1(F::trunc),
                    MathOp::Atan2 => s.slow2(F::atan2),
                    MathOp::Atan2pi => s.slow2(math::atan2_pi::<F>),
                    MathOp::Copysign => s.map2(F::copysign),
                    MathOp::Fdim => s.map2(math::fdim::<F>),
                    MathOp::Fmax => s.map2(F::max),
                    MathOp::Fmin => s.map2(F::min),
                    MathOp::Maxmag => s.map2(math::max_mag::<F>),
                    MathOp::Minmag => s.map2(math::min_mag::<F>),
                    MathOp::Hypot => s.slow2(F::hypot),
                    MathOp::Nextafter => s.map2(math::next_after::<F>),
                    MathOp::Pow => s.slow2(F::powf),
                    MathOp::Powr => s.slow2(math::powr::<F>),
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

            // Repeated multiplication, which `powi` is, would add up errors.
            fn pown(s: Select) -> Handler {
                s.slow2(|x: $float, n: u32| f64::from(x).powf(f64::from(n as i32)) as $float)
            }

            fn rootn(s: Select) -> Handler {
                s.slow2(|x: $float, n: u32| math::rootn(x, n as i32))
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

math! { f32 f64 }

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
