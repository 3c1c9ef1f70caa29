//! What only vectors have.

use crate::ir::Math;
use kernel_core::semantics::BinaryOp;

/// An operation on vectors that no scalar has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VectorOp {
    /// A vector of its lanes, or of those of several vectors in a row.
    Construct,
    /// A vector with a scalar in every lane.
    Splat,
    /// The elements of an array as lanes.
    FromArray,
    /// The lanes as an array.
    ToArray,
    /// Lanes of one vector, or of two, in this order; those of the second are counted on from those of the first.
    Shuffle(Vec<u32>),
    /// A comparison lane by lane, which gives a mask.
    Compare(BinaryOp),
    /// The lanes of the second where the first, a mask, is true; else those of the third.
    Select,
    /// Whether any lane of a mask is true.
    Any,
    /// Whether all lanes of a mask are true.
    All,
    /// What the lanes come to, from the first to the last.
    Reduce(Step),
    /// The sum of the products of the lanes.
    Dot,
    /// The root of the sum of the squares.
    Length,
    /// The length of the difference.
    Distance,
    /// The vector divided by its length.
    Normalize,
    /// The vector at right angles to two of three lanes.
    Cross,
    /// Elements of a slice, from an index on.
    Load,
    /// The lanes to elements of a slice, from an index on; the vector comes first.
    Store,
}

/// What combines two lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An operator.
    Operator(BinaryOp),
    /// `min` or `max`: the function of integers, and that of floats.
    Math {
        /// Of integers.
        integer: Math,
        /// Of floats.
        float: Math,
    },
}
