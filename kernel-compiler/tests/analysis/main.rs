//! What the analysis finds out, and whether it is true.

mod affine;
mod benchmark;
mod bounds;
mod escape;
mod interpreter;
mod overflow;
mod random;
mod reasons;
mod soundness;
mod source;
mod uniformity;
