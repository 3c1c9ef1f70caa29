//! Iterators: where their items come from, and what is done to these on the way.

use super::Expr;

/// An iterator.
#[derive(Clone, Debug)]
pub enum Iter {
    /// The numbers of a range.
    Numbers(Expr),
    /// The elements of an array or slice.
    Elements {
        /// The array or slice.
        of: Expr,
        /// Whether the items are references to the elements.
        by_reference: bool,
    },
    /// Parts of a slice or array, as slices.
    Parts {
        /// Which parts.
        kind: Parts,
        /// The slice or array.
        of: Expr,
        /// The number of elements in each part.
        len: Expr,
    },
    /// From the last item to the first.
    Rev(Expr),
    /// Each item with its position.
    Enumerate(Expr),
    /// What the items, which are references, refer to.
    Copied(Expr),
    /// The items of two iterators in pairs, as long as both have some.
    Zip(Expr, Expr),
    /// The items of one iterator after those of another.
    Chain(Expr, Expr),
    /// The first item and each one that is so many items further on.
    StepBy(Expr, Expr),
    /// All but so many items at the start.
    Skip(Expr, Expr),
    /// So many items at the start.
    Take(Expr, Expr),
}

/// Which parts of a slice an iterator gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// One after the other; the last one may be shorter.
    Chunks,
    /// One after the other; what is left at the end is not a part.
    ChunksExact,
    /// One from each element on that has enough others after it.
    Windows,
}

/// What an iterator is used up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumer {
    /// The sum of its items.
    Sum,
    /// Their product.
    Product,
    /// How many there are.
    Count,
}
