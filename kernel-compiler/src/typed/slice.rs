//! The methods of slices and arrays that are no iterators.

/// A method of a slice or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceMethod {
    /// The elements before an index, and those from it on.
    SplitAt,
    /// All of them, as a slice.
    AsSlice,
    /// Stores a value to all elements.
    Fill,
    /// Copies from a slice of the same length.
    CopyFromSlice,
    /// Exchanges two elements.
    Swap,
    /// Puts the elements into the opposite order.
    Reverse,
    /// Moves the first elements to the end.
    RotateLeft,
    /// Moves the last elements to the start.
    RotateRight,
    /// Whether each element is at most the one after it.
    IsSorted,
    /// Whether an element is equal to a value.
    Contains,
    /// Whether the first elements are those of another slice.
    StartsWith,
    /// Whether the last elements are those of another slice.
    EndsWith,
}
