//! The elementary functions: exponentials, logarithms, powers, angles and what goes with them.
//!
//! They are written for one number and run on all lanes of a subgroup at once. So they have no branch that depends on the number: every
//! case is computed, and the result chosen, which the compiler turns into the vector instructions of the processor. (C libraries branch,
//! and would be called once for each lane.) Since they add and multiply by [`f64::mul_add`], results are the same on every processor.
//!
//! [`single`] has those of `f32`, and [`double`] those of `f64`, under the names of Rust's standard library and `kernel_core::math`. Their errors are
//! in `docs/precision.md`; those of polynomials, beside them, are the greatest difference from the function relative to it, as Sollya found them. Angles for which
//! `single::angle` and `double::angle` have too few digits are those of [`great_angle`].

pub(crate) mod double;
pub(crate) mod great_angle;
mod pair;
mod polynomial;
mod scale;
pub(crate) mod single;

#[cfg(test)]
mod tests;
