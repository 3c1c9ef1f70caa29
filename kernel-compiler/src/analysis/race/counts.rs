//! How often something is done at most, in a form in which a launch can compute it.
//!
//! Each work-item, or the first of each group, does once what is in no loop. A loop is gone through as often as what it counts by goes into what it counts; one that ends when a counter has given out
//! all numbers below a limit, as often as there are such numbers, and once more for each who comes to it. What is done by those alone who find a number in an atomic that
//! nobody puts there again is done once for each atomic.

use super::counter::{Addition, GROUP};
use super::presume::{DEPTH, Occasion, can_be_met};
use super::record::{Induction, Object};
use super::{Checker, Needs};
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Term};
use crate::compiled::Presumption;
use crate::emit::SourcePlace;
use crate::ir::{Atomic, AtomicAccess, AtomicOp, Group, Handle, Label, Op, Place, Type, Value};
use kernel_core::{Part, Presumed};

impl Checker<'_> {
    /// Adds the steps to how often an addition is made at most: in the launch, or by a group if it is in local memory. Of some loops only one pass counts.
    pub(super) fn count(
        &mut self,
        addition: Addition,
        without: &[Label],
        parts: &mut Vec<Part>,
        conditions: &mut Vec<Presumption>,
    ) -> Option<()> {
        let (place, _) = self.addition(addition.found)?;
        if self.module.is_local(place) {
            let most = self
                .module
                .attributes
                .group_size
                .map_or(GROUP, |size| size.into_iter().map(i128::from).product());
            parts.push(Part::Between(1, most));
        } else {
            if let Some(cells) = self.cells_that_change(addition, conditions) {
                parts.extend(cells);
                return Some(());
            }
            parts.push(Part::Between(1, 1));
            let by_groups = addition.brought.is_none() && self.is_by_leader(Group::WorkGroup, addition.found);
            let size = if by_groups { Part::NumGroups } else { Part::GlobalSize };
            (0..self.module.rank()).for_each(|dimension| parts.extend([size(dimension), Part::Mul]));
        }
        let mut labels: Vec<Label> = self.loops.around_value(addition.found).collect();
        let innermost = labels.first().copied();
        labels.reverse();
        for label in labels.into_iter().filter(|label| !without.contains(label)) {
            if let Some((passes, exact)) = self.passes_of(label, addition) {
                add_new(conditions, exact);
                parts.extend(passes);
                parts.push(Part::Mul);
            } else {
                (innermost == Some(label)).then_some(())?;
                parts.extend(self.numbers_below_limit(label, addition)?);
                parts.push(Part::Add);
            }
        }
        Some(())
    }

    /// The steps to the bounds of a number where some facts are known.
    pub(super) fn bounds_at(
        &mut self,
        value: Handle<Value>,
        node: Option<usize>,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let term = self.term_of(value);
        self.bounds(term, &[node], parts, DEPTH)
    }

    /// The steps to how often a work-item that comes to a loop goes through it at most, and what a launch has to see to for that.
    fn passes_of(&mut self, label: Label, addition: Addition) -> Option<(Vec<Part>, Needs)> {
        let of_loop = self.recorder.inductions.iter().filter(|(_, induction)| induction.label == label);
        let mut heads: Vec<Term> = of_loop.map(|(&head, _)| head).collect();
        heads.sort_unstable();
        heads.into_iter().find_map(|head| self.passes_by(head, addition))
    }

    fn passes_by(&mut self, head: Term, addition: Addition) -> Option<(Vec<Part>, Needs)> {
        let Induction { start, step, node: end, .. } =
            self.recorder.inductions.get(&head).filter(|it| !it.alternates && it.flag.is_none())?;
        let (start, step, end) = (start.clone(), step.clone(), *end);
        let start = start.presumed.map_or(start.certain, |(exact, _)| exact);
        let (step, exact) = step.presumed.unwrap_or((step.certain, Vec::new()));
        let range = self.knowledge.range_of_sum(&step);
        let sign = if range.min > 0 { 1 } else { -1 };
        let is_known =
            start.products.keys().flatten().all(|&term| self.is_of_launch(term) || self.is_id(term))
                && step.products.keys().flatten().all(|&term| self.is_of_launch(term));
        if !is_known || range.contains(0) {
            return None;
        }
        let (at, mut needs) = (SourcePlace::of(self.module.values[addition.found].span), Needs::new());
        let is_exact =
            |&term: &Term| self.presume((term, Occasion::Pass(end)), [end; 2], at.clone(), &mut needs);
        exact.iter().all(is_exact).then_some(())?;
        let node = addition.node;
        let mut parts = Vec::new();
        self.bounds(head, &[node], &mut parts, DEPTH)?;
        let Interval { min, max } = self.range_of_term_at(head, node);
        parts.extend([Part::Between(min, max), Part::Meet]);
        let bounds = parts.clone();
        parts.extend(bounds);
        parts.extend([Part::Sub, Part::UpTo]);
        self.sum_of_launch(Polynomial::default().plus(step, sign), &[node], &mut parts, DEPTH)?;
        parts.extend([Part::Div, Part::Between(1, 1), Part::Add]);
        Some((parts, needs))
    }

    fn is_id(&self, term: Term) -> bool {
        matches!(self.knowledge.terms.node(self.knowledge.uncast(term)), Node::Query(..))
    }

    /// The steps to how many numbers a counter gives out until a loop ends for who gets one that is not below a limit.
    fn numbers_below_limit(&mut self, label: Label, addition: Addition) -> Option<Vec<Part>> {
        let (place, by) = self.addition(addition.found)?;
        let end = *self.recorder.ends.get(&label)?;
        // Who adds nothing may get one number any number of times.
        if !self.is_counter(place) || self.range_at(by, addition.node).min < 1 {
            return None;
        }
        // All of a group may have it from their leader.
        let reads = self.module.values.iter().map(|(value, _)| value);
        let limit = std::iter::once(addition.found).chain(reads).find_map(|value| {
            let is_it = value == addition.found
                || self
                    .addition_of_leader(value)
                    .is_some_and(|leader| leader.always && leader.found == addition.found);
            let term = is_it.then(|| self.term_of(value))?;
            self.limit(term, -1, &[end])
        })?;
        let mut parts = Vec::new();
        self.sum_of_launch(limit, &[end], &mut parts, DEPTH)?;
        parts.push(Part::UpTo);
        if let Op::Constant(by) = self.module.values[by].op {
            parts.extend([Part::Between(by.into(), by.into()), Part::Div]);
        }
        parts.extend([Part::Between(1, 1), Part::Add]);
        Some(parts)
    }

    /// The steps to how many atomics there are, where something is done by those only who find a number in one that nobody puts there again.
    fn cells_that_change(
        &mut self,
        addition: Addition,
        conditions: &mut Vec<Presumption>,
    ) -> Option<Vec<Part>> {
        let module = self.module;
        let around = self.loops.around_value(addition.found).next();
        let changes = module.values.iter().filter_map(|(value, change)| match &change.op {
            Op::Atomic(Atomic { place, access, .. }) => {
                let changes = matches!(
                    access,
                    AtomicAccess::CompareExchange { .. }
                        | AtomicAccess::Update(AtomicOp::Exchange | AtomicOp::Or | AtomicOp::Max, _)
                );
                let is_beside = self.loops.around_value(value).next() == around;
                (changes && is_beside && !module.is_local(place)).then_some((value, place))
            }
            _ => None,
        });
        let changes: Vec<(Handle<Value>, &Place)> = changes.collect();
        changes.into_iter().find_map(|(change, place)| {
            let found = self.range_at(change, addition.node);
            if found.min != found.max {
                return None;
            }
            let needed = self.claim(change, found.min)?;
            let position = self.parameter_of(place)?;
            let cells = match (&module.types[module.parameters[position as usize].ty], place.path.len()) {
                (Type::Slice { .. }, 1) => Part::Length(position),
                (Type::Pointer { .. }, 0) => Part::Between(1, 1),
                _ => return None,
            };
            add_new(conditions, needed);
            Some(vec![cells])
        })
    }

    /// What a launch has to see to so that a number is found in an atomic only once, by who puts another one there; none if it may be found again.
    pub(super) fn claim(&mut self, change: Handle<Value>, number: i128) -> Option<Needs> {
        let Op::Atomic(Atomic { place, access, .. }) = &self.module.values[change].op else { return None };
        let position = self.parameter_of(place)?;
        if self.is_written(Object::Parameter(position)) {
            return None;
        }
        match *access {
            // Where another number is expected, the one that is found stays.
            AtomicAccess::CompareExchange { expected, .. } => {
                let node = self.updates_by(change).next()?.node;
                let expected = self.range_at(expected, node);
                (expected.min == number && expected.max == number).then_some(())?;
            }
            AtomicAccess::Update(AtomicOp::Exchange | AtomicOp::Or | AtomicOp::Max, _) => {}
            _ => return None,
        }
        let mut needed = Needs::new();
        for (value, positions) in self.atomic_changes()? {
            for other in positions {
                if other == position {
                    self.leaves(value, number, &mut needed)?;
                } else {
                    self.keep_apart([position, other], change, &mut needed);
                }
            }
        }
        Some(needed)
    }

    /// Sees to it that an atomic access does not put a number where another one is.
    fn leaves(&mut self, value: Handle<Value>, number: i128, needed: &mut Vec<Presumption>) -> Option<()> {
        let node = self.updates_by(value).next()?.node;
        let Op::Atomic(Atomic { access, .. }) = &self.module.values[value].op else { return None };
        let put = match *access {
            AtomicAccess::Load => return Some(()),
            AtomicAccess::Store(put)
            | AtomicAccess::Update(AtomicOp::Exchange, put)
            | AtomicAccess::CompareExchange { new: put, .. } => put,
            // A bit that is set stays.
            AtomicAccess::Update(AtomicOp::Or, put) if number == 0 => put,
            AtomicAccess::Update(AtomicOp::Max, put) if number == 0 => {
                return (self.range_at(put, node).min > 0).then_some(());
            }
            AtomicAccess::Update(..) => return None,
        };
        let range = self.range_at(put, node);
        if !range.contains(number) {
            return Some(());
        }
        let mut parts = Vec::new();
        (range.min < range.max).then_some(())?;
        self.bounds_at(put, node, &mut parts)?;
        parts.extend([Part::Between(number, number), Part::Meet]);
        can_be_met(Presumed::Apart, &parts).then_some(())?;
        let term = self.term_of(put);
        let text = format!("{}, {number}", self.text_of(term));
        needed.push(self.condition(value, text, Presumed::Apart, parts));
        Some(())
    }
}

/// Adds the conditions that are not there yet.
fn add_new(conditions: &mut Vec<Presumption>, more: Needs) {
    for condition in more {
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
}
