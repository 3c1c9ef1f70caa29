//! The elementary functions: exponentials, logarithms, powers, angles and what goes with them.
//!
//! They are written for one number and run on all lanes of a subgroup at once. So they have no branch that depends on the number: every
//! case is computed, and the result chosen, which the compiler turns into the vector instructions of the processor. (C libraries branch,
//! and would be called once for each lane.) Since they add and multiply by [`f64::mul_add`], results are the same on every processor.
//!
//! A number is any [`real::Real`]: the interpreter has them computed with `f64`, and native code is made by having them computed with
//! [`trace::Traced`], which notes the operations. So both have the same results.
//!
//! [`single`] has those of `f32`, and [`double`] those of `f64`, under the names of Rust's standard library and `kernel_core::math`; [`with_functions`] lists
//! them. Their errors are in `docs/precision.md`; those of polynomials, beside them, are the greatest difference from the function relative to it, as Sollya
//! found them. Angles for which `single::angle` and `double::angle` have too few digits are those of [`great_angle`].

pub(crate) mod double;
pub(crate) mod great_angle;
mod pair;
mod polynomial;
pub(crate) mod real;
mod scale;
pub(crate) mod single;
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) mod trace;

#[cfg(test)]
mod tests;

/// Calls a macro with the functions of one number and those of two: each as the operation, and its module and name in [`single`] and in [`double`]. Angles
/// are not great ones.
macro_rules! with_functions {
    ($to:ident! $($with:tt)*) => {
        $to! {
            $($with)*
            one {
                Acos inverse::acos;
                Acosh logarithm::acosh;
                Acospi inverse::acos_pi;
                Asin inverse::asin;
                Asinh logarithm::asinh;
                Asinpi inverse::asin_pi;
                Atan inverse::atan;
                Atanh logarithm::atanh;
                Atanpi inverse::atan_pi;
                Cbrt power::cbrt;
                Cosh exponential::cosh;
                Cospi angle::cos_pi;
                Erf error::erf;
                Erfc error::erfc;
                Exp exponential::exp;
                Exp2 exponential::exp2;
                Exp10 exponential::exp10;
                Expm1 exponential::exp_m1;
                Log logarithm::ln;
                Log2 logarithm::log2;
                Log10 logarithm::log10;
                Log1p logarithm::ln_1p;
                Sinh exponential::sinh;
                Sinpi angle::sin_pi;
                Tanh exponential::tanh;
                Tanpi angle::tan_pi;
            }
            angle {
                Cos angle::cos cosine;
                Sin angle::sin sine;
                Tan angle::tan tangent;
            }
            two {
                Atan2 inverse::atan2;
                Atan2pi inverse::atan2_pi;
                Hypot power::hypot;
                Pow power::powf;
                Powr power::powr;
            }
        }
    };
}
pub(crate) use with_functions;
