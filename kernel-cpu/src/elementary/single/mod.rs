//! Functions of `f32`, computed in `f64` with as many terms as an `f32` has digits, so that results are nearly always the exact ones rounded.

pub(crate) mod angle;
pub(crate) mod error;
pub(crate) mod exponential;
pub(crate) mod inverse;
pub(crate) mod logarithm;
pub(crate) mod power;
