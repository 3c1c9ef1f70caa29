//! The table of functions of floats.
//!
//! Those that are more than a few instructions are in [`elementary`](crate::elementary), but for the gamma functions and the remainder, which are
//! rare; the others are those of Rust's `f32` and `f64` and of `kernel_core::math`.

use super::frame::Lane;
use super::isa::Handler;
use super::map::Select;
use crate::elementary::{double, widened};
use crate::program::{Kind, MathOp};
use kernel_core::math;

/// A float with the functions that Rust's own types lack.
trait Math: Lane {
    fn function(select: Select, op: MathOp) -> Handler;
    fn pown(select: Select) -> Handler;
    fn rootn(select: Select) -> Handler;
    fn exponent(select: Select, ilogb: bool) -> Handler;
    fn mantissa(select: Select) -> Handler;
}

macro_rules! math {
    ($($float:ident $own:ident $wide:ident)*) => {$(
        impl Math for $float {
            fn function(s: Select, op: MathOp) -> Handler {
                type F = $float;
                if let Some(handler) = elementary::$own(s, op) {
                    return handler;
                }
                match op {
                    MathOp::Neg => s.map1(|x: F| -x),
                    MathOp::Abs => s.map1(F::abs),
                    MathOp::Ceil => s.map1(F::ceil),
                    MathOp::Degrees => s.map1(F::to_degrees),
                    MathOp::Floor => s.map1(F::floor),
                    MathOp::Lgamma => s.slow1(math::ln_gamma::<F>),
                    MathOp::Logb => s.slow1(math::logb::<F>),
                    MathOp::Radians => s.map1(F::to_radians),
                    MathOp::Recip => s.map1(F::recip),
                    MathOp::Rint => s.map1(F::round_ties_even),
                    MathOp::Round => s.map1(F::round),
                    MathOp::Rsqrt => s.map1(math::rsqrt::<F>),
                    MathOp::Sign => s.map1(math::sign::<F>),
                    MathOp::Sqrt => s.map1(F::sqrt),
                    MathOp::Tgamma => s.slow1(math::gamma::<F>),
                    MathOp::Trunc => s.map1(F::trunc),
                    MathOp::Copysign => s.map2(F::copysign),
                    MathOp::Fdim => s.map2(math::fdim::<F>),
                    MathOp::Fmax => s.map2(F::max),
                    MathOp::Fmin => s.map2(F::min),
                    MathOp::Maxmag => s.map2(math::max_mag::<F>),
                    MathOp::Minmag => s.map2(math::min_mag::<F>),
                    MathOp::Nextafter => s.map2(math::next_after::<F>),
                    MathOp::Remainder => s.slow2(math::remainder::<F>),
                    MathOp::Step => s.map2(math::step::<F>),
                    MathOp::Fma => s.map3(F::mul_add),
                    MathOp::Mix => s.map3(math::mix::<F>),
                    MathOp::Clamp => s.map3(|x: F, low: F, high: F| x.max(low).min(high)),
                    MathOp::Smoothstep => s.map3(math::smoothstep::<F>),
                    // The elementary ones.
                    _ => s.map1(|x: F| x),
                }
            }

            fn pown(s: Select) -> Handler {
                #[inline(always)]
                fn function(x: $float, n: u32) -> $float {
                    $wide::power::powf(f64::from(x), f64::from(n as i32)) as $float
                }
                s.long2(function)
            }

            fn rootn(s: Select) -> Handler {
                #[inline(always)]
                fn function(x: $float, n: u32) -> $float {
                    $wide::power::rootn(f64::from(x), f64::from(n as i32)) as $float
                }
                s.long2(function)
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

math! { f32 single widened f64 double double }

/// The handlers of the functions of [`crate::elementary`].
mod elementary {
    use super::Select;
    use crate::elementary::great_angle::Angle;
    use crate::elementary::{double, single, with_functions};
    use crate::exec::isa::Handler;
    use crate::program::MathOp;

    /// The handler by the first method for functions of `f32`, by the second one for those of `f64`.
    macro_rules! apply {
        (single $select:ident $single:ident $double:ident $function:ident) => {
            $select.$single($function)
        };
        (double $select:ident $single:ident $double:ident $function:ident) => {
            $select.$double($function)
        };
    }

    macro_rules! handlers {
        (
            $module:ident $float:ident $long:literal
            one { $($one:ident $file:ident::$name:ident $single:ident $double:ident;)* }
            angle { $($angle:ident $angle_file:ident::$angle_name:ident $great:ident;)* }
            two { $($two:ident $two_file:ident::$two_name:ident $two_single:ident $two_double:ident;)* }
        ) => {
            pub(super) fn $module(s: Select, op: MathOp) -> Option<Handler> {
                type F = $float;
                // Closures are not always inlined, and what is not is compiled for any processor.
                Some(match op {
                    $(MathOp::$one => {
                        #[inline(always)]
                        fn function(x: F) -> F {
                            $module::$file::$name(x)
                        }
                        apply!($module s $single $double function)
                    })*
                    $(MathOp::$angle => {
                        #[inline(always)]
                        fn function(x: F) -> F {
                            $module::$angle_file::$angle_name(x)
                        }
                        s.usual1::<F, F, _, _, _, $long>(
                            function,
                            |x: F| $module::angle::is_great(x),
                            F::$great,
                        )
                    })*
                    $(MathOp::$two => {
                        #[inline(always)]
                        fn function(x: F, y: F) -> F {
                            $module::$two_file::$two_name(x, y)
                        }
                        apply!($module s $two_single $two_double function)
                    })*
                    _ => return None,
                })
            }
        };
    }

    with_functions! { handlers! single f32 false }
    with_functions! { handlers! double f64 true }
}

/// The handler of a function of one to three floats.
pub(super) fn function(select: Select, op: MathOp, kind: Kind) -> Handler {
    if kind == Kind::F64 { f64::function(select, op) } else { f32::function(select, op) }
}

/// The handler of [`crate::program::Inst::Ldexp`].
pub(super) fn ldexp(select: Select, kind: Kind) -> Handler {
    if kind == Kind::F64 {
        return select.slow2(|x: f64, n: u32| math::ldexp(x, n as i32));
    }
    select.map2(|x: f32, n: u32| widened::power::ldexp(f64::from(x), f64::from(n as i32)) as f32)
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
