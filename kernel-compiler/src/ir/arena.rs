//! Typed handles and the arenas that they point into.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into an [`Arena`] of `T`.
///
/// Handles are only ever made by the arena that they index, and by the reader of the textual form for what it finds there, so indexing with
/// one does not fail.
pub struct Handle<T> {
    index: u32,
    marker: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    /// The handle of what is, or will be, at a position.
    pub(super) fn new(index: usize) -> Self {
        let index =
            u32::try_from(index).expect("an arena never holds 2^32 items: source is smaller than that");
        Self { index, marker: PhantomData }
    }

    /// The position in the arena, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Handle<T> {}

impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// Items that are only ever added and are referred to by handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena<T> {
    items: Vec<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// Adds an item.
    pub fn push(&mut self, item: T) -> Handle<T> {
        self.items.push(item);
        Handle::new(self.items.len() - 1)
    }

    /// Adds an item unless an equal one is there already.
    pub fn intern(&mut self, item: T) -> Handle<T>
    where
        T: PartialEq,
    {
        match self.items.iter().position(|known| *known == item) {
            Some(index) => Handle::new(index),
            None => self.push(item),
        }
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The handle of the item at a position, if there is one.
    #[must_use]
    pub fn handle(&self, position: usize) -> Option<Handle<T>> {
        (position < self.items.len()).then(|| Handle::new(position))
    }

    /// The items with their handles, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Handle<T>, &T)> + '_ {
        self.items.iter().enumerate().map(|(index, item)| (Handle::new(index), item))
    }

    /// The items, to be changed, in the order in which they were added.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> + '_ {
        self.items.iter_mut()
    }
}

impl<T> Index<Handle<T>> for Arena<T> {
    type Output = T;

    fn index(&self, handle: Handle<T>) -> &T {
        &self.items[handle.index()]
    }
}

impl<T> IndexMut<Handle<T>> for Arena<T> {
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        &mut self.items[handle.index()]
    }
}
