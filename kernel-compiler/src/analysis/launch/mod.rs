//! Checks that the host can make for the whole launch: the conditions under which they cannot fail.
//!
//! A check that stays asks whether an index is below a length, or something like it. Where the length is one that the host knows and the index
//! has a greatest value in the launch that the host can compute, the check cannot fail if the one is below the other. `x[row * n + k]`
//! under `row < m` and `k < n` has the condition `m * n <= x.len()`, and `x[global_id(0)]` has `global_size(0) <= x.len()`. So the kernel is
//! emitted twice, as two entry points of a module: with all checks that it needs, and without those ([`hoist`]). The runtime evaluates the conditions for each launch
//! (`kernel_core::hoisted`), and takes the second entry point where all hold. Both do the same then, and where a check may fail it is made, and reported, as ever.
//! Nothing multiplies: all such checks of a kernel go together, or stay together.
//!
//! # Why it is sound
//!
//! - A [`Number`](number::Number) is a term all of whose leaves the launch gives, evaluated as the device does it, so it is what each work-item has.
//! - A bound (`bound`) is about mathematical integers. It follows from the facts that hold where the check is, so it is true whenever control
//!   gets there, and is of no interest where it does not. Sums and products are bounded part by part, where all parts are natural.
//! - Sums and products wrap. They are congruent to their polynomials modulo the size of their type. A polynomial that is not negative, and whose bound is
//!   in the range of the type, is the term itself; where its bound is beyond the range the term, which is in the range, is less. So the bound is one of
//!   the term in either case, and no condition is needed for what wraps.
//! - Conditions are evaluated in 128 bits, and do not hold if that is too little.
//! - Facts do not come from checks, so that leaving some out takes no fact away.
//!
//! What depends on memory has no bound, and its check stays in both versions.

mod bound;
mod hoist;
mod number;
mod sum;

pub use hoist::hoist;
pub use number::Number;

use super::polynomial::Polynomial;
use super::reason::Missing;
use super::term::{Node, Term};
use super::walk::Walk;
use crate::hash::HashMap;
use crate::ir::{Handle, Site};
use bound::{BOUND_DEPTH, Search};
use kernel_core::semantics::BinaryOp;
use kernel_core::{ExactOp, Scalar};

/// How many terms are looked at for one check, and how much of the work on proofs that may take.
const STEPS: u32 = 200;
const FUEL: u64 = 20_000;

/// How many conditions a launch evaluates at most. Checks for which more were needed stay.
const MOST_CONDITIONS: usize = 16;

/// What would have to hold in a launch so that the checks of a site cannot fail; nothing if the host cannot tell.
pub(super) type Conditions = Option<Vec<Number>>;

/// The sites whose checks the host can make, and what it has to find.
#[derive(Clone, Debug, Default)]
pub(super) struct Hoistable {
    pub(super) sites: HashMap<usize, Vec<Number>>,
}

impl Hoistable {
    /// Chooses among the sites of checks that are needed.
    pub(super) fn of(found: HashMap<usize, Conditions>) -> Self {
        let mut found: Vec<_> = found.into_iter().filter_map(|(site, found)| Some((site, found?))).collect();
        found.sort_unstable_by_key(|(site, _)| *site);
        let mut all: Vec<Number> = Vec::new();
        let mut sites = HashMap::default();
        for (site, conditions) in found {
            let more: Vec<_> = conditions.iter().filter(|condition| !all.contains(condition)).collect();
            if all.len() + more.len() <= MOST_CONDITIONS {
                all.extend(more.into_iter().cloned());
                sites.insert(site, conditions);
            }
        }
        Self { sites }
    }
}

impl Walk<'_> {
    /// What would have to hold in a launch so that a check is not needed here, once it could not be proved.
    pub(super) fn conditions_of(&mut self, missing: Missing) -> Conditions {
        if self.module.export.is_some() || !self.knowledge.has_fuel() {
            return None;
        }
        let fuel = self.knowledge.fuel();
        self.knowledge.refuel(FUEL);
        let mut search = Search { module: self.module, knowledge: &mut self.knowledge, steps: STEPS };
        let mut conditions = Vec::new();
        let found = search.require(missing, &mut conditions);
        self.knowledge.refuel(fuel);
        found?;
        conditions.retain(|condition| *condition != Number::Constant(1));
        let is_possible = conditions
            .iter()
            .all(|condition| !matches!(condition, Number::Constant(_)) && condition.steps().is_some());
        is_possible.then_some(conditions)
    }
}

impl Search<'_> {
    /// Adds what has to hold so that a check cannot fail.
    fn require(&mut self, missing: Missing, conditions: &mut Vec<Number>) -> Option<()> {
        match missing {
            Missing::Below(index, len) => self.at_most(index, 1, len, conditions),
            Missing::NotZero(divisor) => {
                let divisor = self.number(divisor)?;
                conditions.push(Number::exact(ExactOp::Differ, divisor, Number::Constant(0)));
                Some(())
            }
            Missing::Holds(condition) => self.holds(condition, conditions),
            Missing::NotOverflow(..) | Missing::Fits(..) | Missing::Lanes => None,
        }
    }

    /// `left + more <= right`.
    fn at_most(&mut self, left: Term, more: i128, right: Term, conditions: &mut Vec<Number>) -> Option<()> {
        let limit = self.number(right)?;
        let most = self.most(left, BOUND_DEPTH)?;
        conditions.push(most.plus_constant(more).at_most(limit));
        Some(())
    }

    /// `start <= end && end <= len`, where there is no less to the end than to the start: both are exact if the end is at most a length.
    fn part(&mut self, order: Term, inside: Term, conditions: &mut Vec<Number>) -> Option<()> {
        let terms = &self.knowledge.terms;
        let (Node::Binary(BinaryOp::Le, start, end), Node::Binary(BinaryOp::Le, same, len)) =
            (terms.node(order), terms.node(inside))
        else {
            return None;
        };
        if end != same || terms.scalar(end) != Scalar::Usize {
            return None;
        }
        let [start, difference] = [Polynomial::of(terms, start), Polynomial::distance(terms, end, start)];
        let is_in_order = self.is_natural(&start) && self.is_natural(&difference);
        if is_in_order { self.at_most(end, 0, len, conditions) } else { None }
    }

    fn holds(&mut self, condition: Term, conditions: &mut Vec<Number>) -> Option<()> {
        if let Some(number) = self.number(condition) {
            conditions.push(number);
            return Some(());
        }
        match self.knowledge.terms.node(condition) {
            Node::Binary(BinaryOp::And, left, right)
                if self.knowledge.terms.scalar(condition) == Scalar::Bool =>
            {
                if self.part(left, right, conditions).or_else(|| self.part(right, left, conditions)).is_some()
                {
                    return Some(());
                }
                for part in [left, right] {
                    if !self.knowledge.proves_condition(part) {
                        self.holds(part, conditions)?;
                    }
                }
                Some(())
            }
            Node::Binary(BinaryOp::Le, left, right) => self.at_most(left, 0, right, conditions),
            Node::Binary(BinaryOp::Lt, left, right) => self.at_most(left, 1, right, conditions),
            _ => None,
        }
    }
}

/// The sites of a kernel without checks that are proved whose checks the host can make.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// What has to hold for all of them, each condition once.
    pub conditions: Vec<Number>,
    /// Each of them, with the positions of its conditions.
    pub sites: Vec<(Handle<Site>, Vec<usize>)>,
}

impl Kept {
    pub(super) fn new(mut found: Vec<(Handle<Site>, &Vec<Number>)>) -> Self {
        found.sort_unstable_by_key(|(site, _)| site.index());
        let mut kept = Self::default();
        for (site, conditions) in found {
            let mut positions: Vec<usize> =
                conditions.iter().map(|condition| kept.position(condition)).collect();
            positions.sort_unstable();
            positions.dedup();
            kept.sites.push((site, positions));
        }
        kept
    }

    fn position(&mut self, condition: &Number) -> usize {
        let known = self.conditions.iter().position(|known| known == condition);
        known.unwrap_or_else(|| {
            self.conditions.push(condition.clone());
            self.conditions.len() - 1
        })
    }

    /// Whether there is nothing that the host could do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }
}
