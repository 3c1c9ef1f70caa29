//! Integers of all work-items of a group: what each has, as far as it is known.

use std::rc::Rc;

/// An integer or `bool` that each work-item has: the bit patterns, zero-extended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Lanes {
    /// Nothing is known.
    #[default]
    Unknown,
    /// All have the same.
    Same(u64),
    /// What each has, if that is known.
    Each(Rc<[Option<u64>]>),
}

/// The work-items that come to a place.
pub(super) type Mask = Rc<[bool]>;

impl Lanes {
    /// What a work-item has.
    pub(super) fn of(&self, lane: usize) -> Option<u64> {
        match self {
            Self::Unknown => None,
            Self::Same(bits) => Some(*bits),
            Self::Each(each) => each.get(lane).copied().flatten(),
        }
    }

    /// So many work-items with what a function says of each.
    pub(super) fn each(count: usize, of: impl Fn(usize) -> Option<u64>) -> Self {
        let each: Rc<[Option<u64>]> = (0..count).map(of).collect();
        match each.first().copied().flatten() {
            Some(first) if each.iter().all(|bits| *bits == Some(first)) => Self::Same(first),
            _ if each.iter().all(Option::is_none) => Self::Unknown,
            _ => Self::Each(each),
        }
    }

    /// What an operation makes of operands; how many work-items had to be looked at goes to `cost`.
    pub(super) fn map<const N: usize>(
        operands: [&Self; N],
        count: usize,
        cost: &mut u64,
        compute: impl Fn([Option<u64>; N]) -> Option<u64>,
    ) -> Self {
        if operands.iter().any(|operand| matches!(operand, Self::Each(_))) {
            *cost += count as u64;
            return Self::each(count, |lane| compute(operands.map(|operand| operand.of(lane))));
        }
        // All of them have the same.
        compute(operands.map(|operand| operand.of(0))).map_or(Self::Unknown, Self::Same)
    }

    /// What each has after some of the work-items have got something else.
    pub(super) fn stored(&self, new: &Self, mask: &Mask, cost: &mut u64) -> Self {
        if self == new || mask.iter().all(|comes| *comes) {
            return new.clone();
        }
        *cost += mask.len() as u64;
        Self::each(mask.len(), |lane| if mask[lane] { new.of(lane) } else { self.of(lane) })
    }

    /// What each has where two paths meet, each with the work-items that may come by it.
    pub(super) fn joined(&self, other: &Self, [own, others]: [&Mask; 2], cost: &mut u64) -> Self {
        if self == other {
            return self.clone();
        }
        *cost += own.len() as u64;
        Self::each(own.len(), |lane| match (own[lane], others[lane]) {
            (true, false) => self.of(lane),
            (false, true) => other.of(lane),
            _ => self.of(lane).filter(|bits| other.of(lane) == Some(*bits)),
        })
    }
}
