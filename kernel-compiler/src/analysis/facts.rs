//! What is known about terms at a point of the kernel: upper bounds of differences.
//!
//! A fact says `left <= right + offset` of two terms as mathematical integers. Terms never change, so a fact holds as long as control
//! stays where it was learnt; facts are kept on a stack that the walk cuts back when it leaves that place.

use super::term::Term;
use crate::hash::HashMap;

/// `left <= right + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fact {
    pub(super) left: Term,
    pub(super) right: Term,
    pub(super) offset: i128,
}

/// The facts that hold here, oldest first.
#[derive(Debug, Default)]
pub(super) struct Facts {
    stack: Vec<Fact>,
    /// For each term the terms that it is at most, with the offsets.
    above: HashMap<Term, Vec<(Term, i128)>>,
    /// For each term the terms that it is at least, with the offsets.
    below: HashMap<Term, Vec<(Term, i128)>>,
    version: u64,
    /// How many of the oldest have been there since this was last asked for.
    kept: usize,
}

impl Facts {
    pub(super) fn learn(&mut self, fact: Fact) {
        self.version += 1;
        self.stack.push(fact);
        self.above.entry(fact.left).or_default().push((fact.right, fact.offset));
        self.below.entry(fact.right).or_default().push((fact.left, -fact.offset));
    }

    /// How many facts there are.
    pub(super) fn mark(&self) -> usize {
        self.stack.len()
    }

    /// The facts learnt since a mark.
    pub(super) fn since(&self, mark: usize) -> Vec<Fact> {
        self.stack.get(mark..).unwrap_or_default().to_vec()
    }

    /// Forgets the facts learnt since a mark.
    pub(super) fn forget(&mut self, mark: usize) {
        while self.stack.len() > mark {
            let Some(fact) = self.stack.pop() else { return };
            self.kept = self.kept.min(self.stack.len());
            self.version += 1;
            for (bounds, term) in [(&mut self.above, fact.left), (&mut self.below, fact.right)] {
                if let Some(bounds) = bounds.get_mut(&term) {
                    bounds.pop();
                }
            }
        }
    }

    /// The terms that a term is at most, with what has to be added to them.
    pub(super) fn above(&self, term: Term) -> &[(Term, i128)] {
        self.above.get(&term).map_or(&[], Vec::as_slice)
    }

    /// The terms that a term is at least, with what has to be added to them.
    pub(super) fn below(&self, term: Term) -> &[(Term, i128)] {
        self.below.get(&term).map_or(&[], Vec::as_slice)
    }

    /// The terms that have an upper bound.
    pub(super) fn bounded(&self) -> Vec<Term> {
        let mut bounded: Vec<_> = self.stack.iter().map(|fact| fact.left).collect();
        bounded.sort_unstable();
        bounded.dedup();
        bounded
    }

    /// How many of the oldest facts have been there ever since this was last asked for.
    pub(super) fn kept(&mut self) -> usize {
        std::mem::replace(&mut self.kept, self.stack.len())
    }

    /// A number that changes whenever the facts do.
    pub(super) fn version(&self) -> u64 {
        self.version
    }
}
