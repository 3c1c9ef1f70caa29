//! What can be known of a program before code is made of it.

pub(super) mod agreed;
pub(super) mod flow;
pub(super) mod liveness;
pub(super) mod ranges;
pub(super) mod regions;
pub(super) mod sets;
pub(super) mod shape;
pub(super) mod tree;
