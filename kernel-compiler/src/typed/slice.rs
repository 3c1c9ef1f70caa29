//! The methods of slices and arrays that are no iterators.

/// A method of a slice or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceMethod {
    /// The elements before an index, and those from it on.
    SplitAt,
    /// All of them, as a slice.
    AsSlice,
    /// The elements of arrays in a row, as a slice.
    AsFlattened,
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
    /// The first element, if there is one.
    First,
    /// The last element, if there is one.
    Last,
    /// The element at an index, if there is one.
    Get,
    /// The element at an index, of which the author vouches that it is there.
    GetUnchecked,
    /// The elements whose indices are in a range, if all of these are there.
    GetPart,
    /// The first element, and the others.
    SplitFirst,
    /// The last element, and the others.
    SplitLast,
    /// How many elements come before the first for which a closure does not hold, where none comes after it for which it does.
    PartitionPoint,
    /// The array of what a closure makes of the elements.
    Map,
}
