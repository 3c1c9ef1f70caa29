//! Functions of an `f32` and an integer, which has more digits than an `f32`: they are computed in double precision with as many terms as an `f32` has digits,
//! so that results are nearly always the exact ones rounded.

mod exponential;
mod logarithm;
pub(crate) mod power;
