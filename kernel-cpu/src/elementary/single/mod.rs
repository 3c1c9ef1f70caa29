//! Functions of `f32`, computed in single precision.
//!
//! Polynomials are those of Sollya's `fpminimax` with coefficients of single precision, and their errors are of these.

pub(crate) mod angle;
pub(crate) mod error;
pub(crate) mod exponential;
pub(crate) mod inverse;
pub(crate) mod logarithm;
pub(crate) mod power;
mod scale;
