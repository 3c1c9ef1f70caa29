//! What the analysis finds out, and whether it is true.

mod affine;
mod benchmark;
mod bounds;
mod fault_exit;
mod gathered;
mod groups;
mod interpreter;
mod joint;
mod known_variables;
mod launch;
mod loop_head;
mod natural;
mod overflow;
mod race_files;
mod race_large;
mod race_random;
mod races;
mod random;
mod reasons;
#[path = "../emit/round_trip.rs"]
mod round_trip;
mod same;
mod soundness;
mod source;
mod text;
mod uniformity;
mod unroll;
mod unwritten;
