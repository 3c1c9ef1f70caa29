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
    /// What is in an `Option`, if there is something.
    Maybe(Expr),
    /// What a closure answers each time it is called, until there is nothing in its answer; and what another one that has the same variables moved into it
    /// answers, from the last item on.
    FromFn(Expr, Option<Expr>),
    /// The items of the items, which are iterators or can be gone over.
    Flatten(Expr),
    /// The items of an iterator that is only borrowed, which loses them.
    Borrowed(Expr),
    /// All items again and again.
    Cycle(Expr),
    /// An iterator whose next item can be looked at.
    Peekable(Expr),
    /// What is left of an iterator by now, whatever happens to that afterwards.
    Clone(Expr),
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
    /// What a closure makes of the items.
    With(Adaptor, Expr, Expr),
    /// What a closure makes of each item and of a value that it can change, which is this one at first.
    Scan {
        /// The iterator.
        of: Expr,
        /// The value.
        first: Expr,
        /// The closure.
        by: Expr,
    },
}

/// What an iterator does with the closure that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adaptor {
    /// Its results are the items.
    Map,
    /// The items for which it holds.
    Filter,
    /// What is in its results, where there is something.
    FilterMap,
    /// It sees each item.
    Inspect,
    /// The items before the first for which it does not hold.
    TakeWhile,
    /// The items from the first on for which it does not hold.
    SkipWhile,
    /// What is in its results, up to the first in which there is nothing.
    MapWhile,
}

/// How the items of an iterator can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Each by its position; they are elements and numbers.
    Elements,
    /// Each by its position, but a closure computes it.
    Computed,
    /// One after the other.
    Consecutive {
        /// Whether they can come from the last on.
        reversible: bool,
        /// Whether each is an item of a sequence of elements, as it is there.
        is_element: bool,
    },
    /// One after the other, each by a call that does not depend on who goes over them.
    Pulled,
}

impl Access {
    /// Returns whether each item has a position.
    #[must_use]
    pub const fn is_sequence(self) -> bool {
        !matches!(self, Self::Consecutive { .. } | Self::Pulled)
    }

    /// Returns whether the items can come from the last on.
    #[must_use]
    pub const fn is_reversible(self) -> bool {
        !matches!(self, Self::Consecutive { reversible: false, .. } | Self::Pulled)
    }

    /// Returns whether each item is one of a sequence of elements.
    #[must_use]
    pub const fn is_element(self) -> bool {
        matches!(self, Self::Elements | Self::Consecutive { is_element: true, .. })
    }
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

/// How an iterator in a variable is advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// `next`: by its first item.
    Next,
    /// `next_back`: by its last item.
    NextBack,
    /// `peek`: not at all, but the first item is looked at.
    Peek,
}

/// What an iterator is used up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumer {
    /// The sum of its items.
    Sum,
    /// Their product.
    Product,
    /// How many there are, once all have been gone over.
    Count,
    /// How many there are.
    Len,
    /// The elements that are left of a slice, or those that are in no chunk.
    Rest,
    /// The last one.
    Last,
    /// The one at a position.
    Nth,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The one of which a closure makes the least number.
    MinByKey,
    /// The one of which a closure makes the greatest number.
    MaxByKey,
    /// A closure is called with each.
    ForEach,
    /// What a closure makes of a first value and each item in turn.
    Fold,
    /// What a closure makes of the first item and each other in turn.
    Reduce,
    /// Whether a closure holds for any.
    Any,
    /// Whether a closure holds for all.
    All,
    /// The position of the first for which a closure holds.
    Position,
    /// The first for which a closure holds.
    Find,
    /// The first thing that a closure makes of any of them.
    FindMap,
}
