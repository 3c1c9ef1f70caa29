//! Operations of raw pointers.

/// An operation that only raw pointers have; its operands are listed in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerOp {
    /// A null pointer.
    Null,
    /// A pointer to a place.
    ToPlace,
    /// A pointer to what a reference refers to; to that of an array also where its first element is meant.
    ToReferent,
    /// A pointer to the first element of a slice or an array.
    ToElements,
    /// The same address as a pointer to another type.
    Cast,
    /// The address, a `usize`.
    Address,
    /// A pointer so many elements away, by a `usize` or an `isize`.
    Offset {
        /// Whether it is that many elements before.
        back: bool,
        /// Whether it may be outside of what the pointer points into.
        wraps: bool,
    },
    /// How many elements the first pointer is after the second, an `isize`.
    Distance,
    /// Stores the second operand to where the first points.
    Write,
    /// The slice of so many elements.
    Slice,
}
