//! What is known of an iterator as a whole.

use super::cursor::Cursor;
use super::sequence::length_behind_reference;
use super::{Items, Scan, With};
use crate::lower::memory::Operand;
use crate::typed::Adaptor;
use std::rc::Rc;

impl Items {
    /// The iterators that this one is made of.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Rc<Self>> {
        let (one, other) = match self {
            Self::Rev(inner)
            | Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::StepBy(inner, _)
            | Self::Skip(inner, _)
            | Self::Take(inner, _)
            | Self::Flatten(inner, _)
            | Self::Cycle(inner)
            | Self::Peekable(inner, _)
            | Self::Left { of: inner, .. }
            | Self::With(With { of: inner, .. })
            | Self::Cursor(Cursor { of: inner, .. })
            | Self::Scan(Scan { of: inner, .. }) => (Some(inner), None),
            Self::Zip(one, other) | Self::Chain(one, other, _) => (Some(one), Some(other)),
            Self::Numbers(_)
            | Self::Elements { .. }
            | Self::Parts { .. }
            | Self::Maybe { .. }
            | Self::FromFn(_)
            | Self::Pulled { .. }
            | Self::Nothing => (None, None),
        };
        one.into_iter().chain(other)
    }

    /// The same, to be changed.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Rc<Self>> {
        let (one, other) = match self {
            Self::Rev(inner)
            | Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::StepBy(inner, _)
            | Self::Skip(inner, _)
            | Self::Take(inner, _)
            | Self::Flatten(inner, _)
            | Self::Cycle(inner)
            | Self::Peekable(inner, _)
            | Self::Left { of: inner, .. }
            | Self::With(With { of: inner, .. })
            | Self::Cursor(Cursor { of: inner, .. })
            | Self::Scan(Scan { of: inner, .. }) => (Some(inner), None),
            Self::Zip(one, other) | Self::Chain(one, other, _) => (Some(one), Some(other)),
            Self::Numbers(_)
            | Self::Elements { .. }
            | Self::Parts { .. }
            | Self::Maybe { .. }
            | Self::FromFn(_)
            | Self::Pulled { .. }
            | Self::Nothing => (None, None),
        };
        one.into_iter().chain(other)
    }

    /// Returns whether each item can be had by its position, without those before it, where the iterator is gone over in this direction.
    ///
    /// A closure sees the items that are left out at the start or between others; those at the end of the way it does not see.
    pub(super) fn is_sequence(&self, backward: bool) -> bool {
        match self {
            Self::Numbers(_) | Self::Elements { .. } | Self::Parts { .. } => true,
            Self::Rev(inner) => inner.is_sequence(!backward),
            Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::Take(inner, _)
            | Self::Left { of: inner, .. } => inner.is_sequence(backward),
            Self::Skip(inner, _) => inner.is_sequence(backward) && (backward || !inner.computes()),
            Self::StepBy(inner, _) => inner.is_sequence(backward) && !inner.computes(),
            Self::Zip(one, other) => one.is_sequence(backward) && other.is_sequence(backward),
            Self::With(with) => {
                matches!(with.adaptor, Adaptor::Map | Adaptor::Inspect) && with.of.is_sequence(backward)
            }
            Self::Flatten(inner, ty) => {
                length_behind_reference(ty).is_some() && inner.is_sequence(backward) && !inner.computes()
            }
            Self::Chain(..)
            | Self::Scan(_)
            | Self::Maybe { .. }
            | Self::FromFn(_)
            | Self::Cursor(_)
            | Self::Cycle(_)
            | Self::Peekable(..)
            | Self::Pulled { .. }
            | Self::Nothing => false,
        }
    }

    /// Returns whether it is in a variable, where how far it has come is kept.
    pub(in crate::lower) fn is_advanced(&self) -> bool {
        matches!(self, Self::Cursor(_) | Self::Pulled { .. })
    }

    /// Returns whether there is a closure in it.
    pub(super) fn computes(&self) -> bool {
        matches!(self, Self::With(_) | Self::Scan(_) | Self::FromFn(_) | Self::Pulled { .. })
            || self.parts().any(|part| part.computes())
    }

    /// Returns whether there is a closure in it that changes what has been moved into it.
    pub(super) fn has_own_state(&self) -> bool {
        let closure = match self {
            Self::With(With { by, .. }) | Self::Scan(Scan { by, .. }) | Self::FromFn(by) => Some(by),
            _ => None,
        };
        closure.is_some_and(Operand::has_own_state) || self.parts().any(|part| part.has_own_state())
    }

    /// Returns whether how many items there are, or where they are, takes a division.
    pub(super) fn has_steps(&self) -> bool {
        matches!(self, Self::StepBy(..) | Self::Flatten(..)) || self.parts().any(|part| part.has_steps())
    }

    /// Returns whether there are no more items than elements somewhere in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        match self {
            Self::Elements { .. } | Self::Parts { .. } | Self::Maybe { .. } | Self::Nothing => true,
            Self::Numbers(_)
            | Self::Chain(..)
            | Self::Flatten(..)
            | Self::FromFn(_)
            | Self::Cycle(_)
            | Self::Pulled { .. } => false,
            other => other.parts().any(|part| part.is_in_memory()),
        }
    }

    /// Returns whether it ends by itself.
    pub(super) fn has_end(&self) -> bool {
        match self {
            Self::Numbers(numbers) => numbers.end.is_some(),
            Self::Left { back, .. } => back.is_some(),
            Self::FromFn(_) | Self::Cycle(_) | Self::Pulled { .. } => false,
            Self::Elements { .. }
            | Self::Parts { .. }
            | Self::Take(..)
            | Self::Maybe { .. }
            | Self::Nothing => true,
            Self::Zip(one, other) => one.has_end() || other.has_end(),
            other => other.parts().all(|part| part.has_end()),
        }
    }
}
