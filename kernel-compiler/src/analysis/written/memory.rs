//! What of local memory has been written, and by whom.

use super::lanes::Mask;
use std::ops::Range;
use std::rc::Rc;

/// As far as what an array may be written, besides single scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::analysis) enum Extent {
    /// As many elements as there are work-items in the group.
    Group,
    /// As many as there are subgroups.
    Subgroups,
}

impl Extent {
    pub(in crate::analysis) const ALL: [Self; 2] = [Self::Group, Self::Subgroups];
}

/// How much is known of an extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    /// Nothing.
    #[default]
    Nothing,
    /// It has been written, each element by whose it is.
    Written,
    /// Everybody may read it.
    Shared,
}

/// Nobody has written a scalar, as far as it is known.
const NOBODY: u16 = 0;
/// A scalar has been written, and a barrier has come since. What is between is the number of a work-item that has written it, plus one.
const SHARED: u16 = u16::MAX;

/// The state of one variable.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    scalars: Rc<Vec<u16>>,
    /// Whether everybody may read all of it.
    pub(super) is_whole: bool,
    extents: [Known; 2],
}

impl Memory {
    /// That of so many scalars, which nobody has written.
    pub(super) fn new(scalars: usize) -> Self {
        Self { scalars: Rc::new(vec![NOBODY; scalars]), is_whole: false, extents: [Known::Nothing; 2] }
    }

    pub(super) fn len(&self) -> usize {
        self.scalars.len()
    }

    /// A work-item writes scalars.
    pub(super) fn write(&mut self, range: Range<usize>, lane: usize) {
        let owner = u16::try_from(lane + 1).unwrap_or(NOBODY);
        let is_new = |scalar: &u16| *scalar == NOBODY;
        if self.scalars.get(range.clone()).is_some_and(|scalars| scalars.iter().any(is_new)) {
            let scalars = Rc::make_mut(&mut self.scalars);
            scalars[range].iter_mut().filter(|scalar| **scalar == NOBODY).for_each(|scalar| *scalar = owner);
        }
    }

    /// Returns whether a work-item finds scalars written.
    pub(super) fn is_written(&self, range: Range<usize>, lane: usize) -> bool {
        let is_written = |scalar: &u16| *scalar == SHARED || usize::from(*scalar) == lane + 1;
        self.is_whole || self.scalars.get(range).is_some_and(|scalars| scalars.iter().all(is_written))
    }

    /// Returns whether everybody finds scalars written.
    pub(super) fn is_shared(&self, range: Range<usize>) -> bool {
        self.is_whole
            || self.scalars.get(range).is_some_and(|scalars| scalars.iter().all(|scalar| *scalar == SHARED))
    }

    pub(super) fn extent(&mut self, extent: Extent) -> &mut Known {
        &mut self.extents[extent as usize]
    }

    /// All have come to a barrier; what the work-items below a number have written is there for everybody.
    pub(super) fn share(&mut self, sure: usize) {
        for known in &mut self.extents {
            if *known == Known::Written {
                *known = Known::Shared;
            }
        }
        let is_own = |scalar: u16| (1..=sure).contains(&usize::from(scalar));
        if !self.scalars.iter().any(|scalar| is_own(*scalar)) {
            return;
        }
        for scalar in Rc::make_mut(&mut self.scalars) {
            if is_own(*scalar) {
                *scalar = SHARED;
            }
        }
        self.is_whole = self.scalars.iter().all(|scalar| *scalar == SHARED);
    }

    /// What is known where two paths meet, each with the work-items that may come by it.
    pub(super) fn join(&mut self, other: &Self, [own, others]: [&Mask; 2], cost: &mut u64) {
        for (known, other) in self.extents.iter_mut().zip(other.extents) {
            *known = (*known).min(other);
        }
        if Rc::ptr_eq(&self.scalars, &other.scalars) {
            return;
        }
        *cost += self.scalars.len() as u64;
        // What a work-item has written that comes by one of the paths only.
        let is_sure = |scalar: u16, elsewhere: &Mask| {
            scalar != NOBODY
                && scalar != SHARED
                && elsewhere.get(usize::from(scalar) - 1).is_some_and(|comes| !comes)
        };
        for (scalar, &other) in Rc::make_mut(&mut self.scalars).iter_mut().zip(other.scalars.iter()) {
            *scalar = match *scalar {
                same if same == other => same,
                one if is_sure(one, others) => one,
                _ if is_sure(other, own) => other,
                SHARED => other,
                one if other == SHARED => one,
                _ => NOBODY,
            };
        }
        self.is_whole &= other.is_whole;
    }
}
