//! Functions of `f32`, computed in double precision with as many terms as an `f32` has digits, so that results are nearly always the exact ones rounded.
//!
//! Arguments are exact in single precision, or integers of 32 bits, and results are to be rounded to it.

pub(crate) mod angle;
pub(crate) mod error;
pub(crate) mod exponential;
pub(crate) mod inverse;
pub(crate) mod logarithm;
pub(crate) mod power;
