//! The elementary functions: exponentials, logarithms, powers, angles and what goes with them.
//!
//! They are written for one number and run on all lanes of a subgroup at once. So they have no branch that depends on the number: every
//! case is computed, and the result chosen, which the compiler turns into the vector instructions of the processor. (C libraries branch,
//! and would be called once for each lane.) Since they add and multiply by `mul_add`, results are the same on every processor.
//!
//! A number is any [`real::Real`]: the interpreter has them computed with `f32` and `f64`, and native code is made by having them computed with
//! [`trace::Traced`], which notes the operations. So both have the same results.
//!
//! [`single`] has those of `f32`, and [`double`] those of `f64`, under the names of Rust's standard library and `kernel_core::math`; [`with_functions`] lists
//! them. Those of an `f32` and an integer are in [`widened`]. Their errors are in `docs/precision.md`; those of polynomials, beside them, are the greatest
//! difference from the function relative to it, as Sollya found them. Angles for which `single::angle` and `double::angle` have too few digits are those of
//! [`great_angle`].

pub(crate) mod double;
pub(crate) mod great_angle;
mod pair;
mod polynomial;
pub(crate) mod real;
mod scale;
pub(crate) mod single;
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) mod trace;
pub(crate) mod widened;

#[cfg(test)]
mod tests;

use crate::program::MathOp;

/// Calls a macro with the functions of one number and those of two: each as the operation, its module and name in [`single`] and in [`double`], and how the
/// interpreter applies the one and the other to all lanes. Angles are not great ones.
macro_rules! with_functions {
    ($to:ident! $($with:tt)*) => {
        $to! {
            $($with)*
            one {
                Acos inverse::acos map1 map1;
                Acosh logarithm::acosh map1 long1;
                Acospi inverse::acos_pi map1 map1;
                Asin inverse::asin map1 map1;
                Asinh logarithm::asinh map1 long1;
                Asinpi inverse::asin_pi map1 map1;
                Atan inverse::atan map1 long1;
                Atanh logarithm::atanh map1 map1;
                Atanpi inverse::atan_pi map1 long1;
                Cbrt power::cbrt map1 map1;
                Cosh exponential::cosh map1 map1;
                Cospi angle::cos_pi map1 map1;
                Erf error::erf map1 long1;
                Erfc error::erfc map1 map1;
                Exp exponential::exp map1 map1;
                Exp2 exponential::exp2 map1 map1;
                Exp10 exponential::exp10 map1 map1;
                Expm1 exponential::exp_m1 map1 map1;
                Log logarithm::ln map1 map1;
                Log2 logarithm::log2 map1 map1;
                Log10 logarithm::log10 map1 map1;
                Log1p logarithm::ln_1p map1 map1;
                Sinh exponential::sinh map1 map1;
                Sinpi angle::sin_pi map1 map1;
                Tanh exponential::tanh map1 map1;
                Tanpi angle::tan_pi map1 map1;
            }
            angle {
                Cos angle::cos cosine;
                Sin angle::sin sine;
                Tan angle::tan tangent;
            }
            two {
                Atan2 inverse::atan2 map2 long2;
                Atan2pi inverse::atan2_pi map2 long2;
                Hypot power::hypot map2 map2;
                Pow power::powf long2 map2;
                Powr power::powr map2 map2;
            }
        }
    };
}
pub(crate) use with_functions;

macro_rules! elementary {
    (
        one { $($one:ident $file:ident::$name:ident $single:ident $double:ident;)* }
        angle { $($angle:ident $angle_file:ident::$angle_name:ident $great:ident;)* }
        two { $($two:ident $two_file:ident::$two_name:ident $two_single:ident $two_double:ident;)* }
    ) => {
        /// Whether a function is one of these.
        pub(crate) fn is_elementary(op: MathOp) -> bool {
            matches!(op, $(MathOp::$one)|* | $(MathOp::$angle)|* | $(MathOp::$two)|*)
        }
    };
}

with_functions! { elementary! }
