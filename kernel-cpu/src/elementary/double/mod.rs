//! Functions of `f64`, with sums and products of two parts where one would lose digits.

pub(crate) mod angle;
pub(crate) mod error;
pub(crate) mod exponential;
pub(crate) mod inverse;
pub(crate) mod logarithm;
pub(crate) mod power;
