//! What the analysis finds out, and whether it is true.

mod bounds;
mod interpreter;
mod random;
mod soundness;
mod source;
