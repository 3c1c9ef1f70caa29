//! Counters: whether what an addition to an atomic returns is a number that nobody else gets.
//!
//! Where nothing else is done to an atomic than to load it and to add numbers to it that are not negative, each addition has the numbers from what it finds on, as many as it adds, for itself, as long as
//! the sum of all is no more than its type has numbers. So no two that add at least 1 find the same. That is meant around the circle of the numbers of the type, so it does not matter where the counter starts.
//!
//! A counter of 64 bits to which small numbers are added does not come around. For others `counts` bounds the sum, and the launch sees to it. It sees too to a counter being apart
//! from what other atomics are done to. In local memory, something else may be stored to a counter at times that barriers keep apart from the additions.

use super::pair::Pair;
use super::phases::{Copies, IsCopy, Step};
use super::presume::Occasion;
use super::record::Object;
use super::{Checker, Ordered, Update};
use crate::analysis::interval::Interval;
use crate::analysis::term::Term;
use crate::compiled::Presumption;
use crate::emit::SourcePlace;
use crate::ir::{
    self, Atomic, AtomicAccess, AtomicOp, Base, Handle, Label, LocalVariable, Memory, Op, Place, Type, Value,
};
use kernel_core::{Part, Presumed, Scalar};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most that may be added to a counter of 64 bits at once, for years.
pub(super) const SMALL: i128 = u16::MAX as i128;
/// More work-items than a group has.
pub(super) const GROUP: i128 = 1 << 16;

/// An addition to a counter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addition {
    /// What it finds.
    pub(super) found: Handle<Value>,
    /// What it adds.
    pub(super) by: Handle<Value>,
    /// What each work-item of a group brings, if the first of them adds that of all.
    pub(super) brought: Option<Handle<Value>>,
    /// The facts that are known there.
    pub(super) node: Option<usize>,
}

impl Addition {
    /// What one work-item has a part in it.
    fn part(&self) -> Handle<Value> {
        self.brought.unwrap_or(self.by)
    }

    /// The facts that are known of whoever has a part in it.
    fn known(&self) -> Option<usize> {
        if self.brought.is_some() { None } else { self.node }
    }
}

/// What a launch has to see to so that nobody else gets a number; none if others may get it in any launch.
pub(super) type Uniqueness = Option<Rc<[Presumption]>>;

impl Pair<'_, '_> {
    /// Returns whether the two, if they access one element, have come to one counter that does not give both the same number.
    pub(super) fn is_ticket(&mut self, value: Handle<Value>) -> bool {
        self.checker.adds_some(value) && self.are_tickets([value; 2])
    }

    /// Returns whether two additions are to one counter, so that the numbers from what each finds, as many as it adds, are the other's not.
    pub(super) fn are_tickets(&mut self, [one, other]: [Handle<Value>; 2]) -> bool {
        let places = [one, other].map(|value| self.checker.addition(value).map(|(place, _)| place));
        let [Some(first), Some(second)] = places else { return false };
        let indices = self.checker.index_terms(first);
        let is_same = first.base == second.base
            && members(first) == members(second)
            && self.checker.index_terms(second) == indices;
        is_same
            && (one == other || !self.checker.is_reset(one))
            && self.is_one(first, &indices)
            && [one, other].into_iter().all(|value| self.is_unique(value))
    }

    /// Returns whether both come to one atomic if they access one element.
    pub(super) fn is_one(&mut self, place: &Place, indices: &[Term]) -> bool {
        let is_one = match place.base {
            Base::Local(_) => self.context.who.is_of_one_group(),
            _ => self.checker.parameter_of(place).is_some(),
        };
        is_one
            && indices.iter().all(|&index| {
                let plain = self.checker.knowledge.uncast(index);
                self.is_shared(index) || [index, plain].iter().any(|term| self.equal.contains(term))
            })
    }

    /// Returns whether nobody else gets a number from a counter, and notes what a launch has to see to for that.
    fn is_unique(&mut self, value: Handle<Value>) -> bool {
        let Some(conditions) = self.checker.uniqueness(value) else { return false };
        let resets = self.checker.loops_with_resets(value);
        if !resets.into_iter().all(|label| self.same_pass(label)) {
            return false;
        }
        if !conditions.is_empty() {
            let term = self.checker.term_of(value);
            self.presumed.insert((term, Occasion::Counter));
        }
        true
    }
}

impl<'a> Checker<'a> {
    /// The place of an addition to an atomic, and what is added.
    pub(super) fn addition(&self, value: Handle<Value>) -> Option<(&'a Place, Handle<Value>)> {
        match &self.module.values[value].op {
            Op::Atomic(Atomic { place, access: AtomicAccess::Update(AtomicOp::Add, by), .. }) => {
                let scalar = self.module.scalar(self.module.values[*by].ty)?;
                scalar.is_integer().then_some((place, *by))
            }
            _ => None,
        }
    }

    /// The position of the parameter that a place is in, if it is not in a part of what that leads to.
    pub(super) fn parameter_of(&self, place: &Place) -> Option<u32> {
        let (Base::Slice(base) | Base::Pointer(base)) = place.base else { return None };
        match self.module.values[base].op {
            Op::Parameter(position) => Some(position),
            _ => None,
        }
    }

    /// The indices on the way to a place.
    pub(super) fn index_terms(&mut self, place: &Place) -> Vec<Term> {
        place.indices().map(|index| self.term_of(index.index)).collect()
    }

    /// What a launch has to see to so that nobody else gets the number which an addition returns.
    pub(super) fn uniqueness(&mut self, value: Handle<Value>) -> Uniqueness {
        if let Some(known) = self.tickets.get(&value) {
            return known.clone();
        }
        let found: Uniqueness = self.conditions(value).map(Rc::from);
        self.tickets.insert(value, found.clone());
        found
    }

    fn conditions(&mut self, value: Handle<Value>) -> Option<Vec<Presumption>> {
        let mut conditions = Vec::new();
        let additions = self.additions(value, &mut conditions)?;
        let scalar = self.module.scalar(self.module.values[value].ty)?;
        let mut adds_little =
            additions.iter().map(|addition| self.range_at(addition.part(), addition.known()).max <= SMALL);
        let whole = match scalar.bits() {
            64 if adds_little.all(|is_little| is_little) => return Some(conditions),
            64 => Scalar::U64,
            32 => Scalar::U32,
            _ => return None,
        };
        let without = self.loops_with_resets(value);
        let mut parts = vec![Part::Between(0, 0)];
        for addition in additions {
            self.count(addition, &without, &mut parts, &mut conditions)?;
            self.bounds_at(addition.part(), addition.known(), &mut parts)?;
            parts.extend([Part::Mul, Part::Add]);
        }
        parts.push(Part::Cast(whole));
        if parts.len() > kernel_core::Presumption::MOST_PARTS {
            return None;
        }
        if !Presumed::Fits.holds(&parts, of_any_launch) {
            // What no launch meets is no condition.
            Presumed::Fits.holds(&parts, of_small_launch).then_some(())?;
            let text = self.name(self.counter(value)?).to_owned();
            conditions.push(self.condition(value, text, Presumed::Fits, parts));
        }
        Some(conditions)
    }

    /// All additions to the counter of one, if nothing is done to it by which it could give out a number again before it comes around.
    fn additions(
        &mut self,
        value: Handle<Value>,
        conditions: &mut Vec<Presumption>,
    ) -> Option<Vec<Addition>> {
        let (place, _) = self.addition(value)?;
        match (place.base, self.counter(value)?) {
            (Base::Local(base), Object::Local(local)) if base == local => {
                self.additions_in_group(value, local)
            }
            (Base::Slice(_) | Base::Pointer(_), Object::Parameter(position))
                if !self.module.is_local(place) =>
            {
                self.additions_in_launch(position, conditions)
            }
            _ => None,
        }
    }

    /// Returns whether all that is not known of a counter of 32 bits is how much is added to it.
    pub(super) fn may_come_around(&mut self, value: Handle<Value>) -> bool {
        self.module.scalar(self.module.values[value].ty).is_some_and(|scalar| scalar.bits() == 32)
            && self.uniqueness(value).is_none()
            && self.additions(value, &mut Vec::new()).is_some()
    }

    /// What a launch has to see to because of an addition.
    pub(super) fn condition(
        &self,
        value: Handle<Value>,
        text: String,
        presumed: Presumed,
        parts: Vec<Part>,
    ) -> Presumption {
        Presumption { text, at: SourcePlace::of(self.module.values[value].span), presumed, parts }
    }

    /// What an atomic access is to, if it is to one object.
    pub(super) fn counter(&self, value: Handle<Value>) -> Option<Object> {
        let mut objects = self.updates_by(value).map(|update| update.object);
        let first = objects.next()?;
        objects.all(|other| other == first).then_some(first)
    }

    /// What is known of an atomic access, for each object that it may be to.
    pub(super) fn updates_by(&self, value: Handle<Value>) -> impl Iterator<Item = &Update> {
        self.updates.iter().filter(move |update| update.value == Some(value))
    }

    /// The additions to the atomics that a parameter leads to, if nothing else is done to them; other atomics have to be apart from these.
    fn additions_in_launch(
        &mut self,
        position: u32,
        conditions: &mut Vec<Presumption>,
    ) -> Option<Vec<Addition>> {
        let mut additions = Vec::new();
        let mut others = BTreeSet::new();
        for (value, mut positions) in self.atomic_changes()? {
            if positions.remove(&position) {
                additions.push(self.natural_addition(value)?);
            }
            others.extend(positions);
        }
        if self.is_written(Object::Parameter(position)) {
            return None;
        }
        for other in others {
            self.keep_apart([position, other], additions.first()?.found, conditions);
        }
        Some(additions)
    }

    /// What is done to atomics in global memory besides loading them, and to what parameters may lead it is done; none if that is not known.
    pub(super) fn atomic_changes(&self) -> Option<Vec<(Handle<Value>, BTreeSet<u32>)>> {
        let module = self.module;
        let mut found = Vec::new();
        for (value, change) in module.values.iter() {
            match &change.op {
                Op::Atomic(Atomic { place, access, .. }) => {
                    if module.is_local(place) || matches!(access, AtomicAccess::Load) {
                        continue;
                    }
                    let position = |update: &Update| match update.object {
                        Object::Parameter(position) => Some(position),
                        Object::Local(_) => None,
                    };
                    let positions: BTreeSet<u32> =
                        self.updates_by(value).map(position).collect::<Option<_>>()?;
                    if positions.is_empty() {
                        return None;
                    }
                    found.push((value, positions));
                }
                // What others do to atomics is not known.
                Op::Call(_) => return None,
                _ if matches!(module.types[change.ty], Type::Pointer { raw: true, .. }) => return None,
                _ => {}
            }
        }
        Some(found)
    }

    /// Has a launch see to what two parameters lead to being apart.
    pub(super) fn keep_apart(
        &self,
        mut positions: [u32; 2],
        value: Handle<Value>,
        conditions: &mut Vec<Presumption>,
    ) {
        positions.sort_unstable();
        let name = |position: u32| self.module.parameters[position as usize].name.as_str();
        let text = positions.map(name).join(", ");
        let parts = vec![Part::Memory(positions[0]), Part::Memory(positions[1]), Part::Meet];
        let condition = self.condition(value, text, Presumed::Apart, parts);
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }

    /// Returns whether something is written to an object that is accessed atomically too.
    pub(super) fn is_written(&self, object: Object) -> bool {
        self.written_atomics.contains(&object)
    }

    /// An addition of a number that is not negative.
    pub(super) fn natural_addition(&mut self, found: Handle<Value>) -> Option<Addition> {
        let (_, by) = self.addition(found)?;
        let node = self.updates_by(found).next()?.node;
        let brought = self.brought_to(found).map(|(_, brought)| brought);
        (self.range_at(by, node).min >= 0).then_some(Addition { found, by, brought, node })
    }

    /// Returns whether at least 1 is added.
    fn adds_some(&mut self, found: Handle<Value>) -> bool {
        let addition = self.natural_addition(found);
        addition.is_some_and(|addition| self.range_at(addition.by, addition.node).min >= 1)
    }

    /// The additions to an atomic in local memory, if all else is done to it between other barriers than one of them.
    fn additions_in_group(
        &mut self,
        value: Handle<Value>,
        local: Handle<LocalVariable>,
    ) -> Option<Vec<Addition>> {
        let phases = self.phases_of(Ordered { memory: Memory::LOCAL, copies: Copies::Not });
        let own = self.updates_by(value).next()?.step;
        let others: Vec<(Step, Option<Handle<Value>>)> = self
            .updates
            .iter()
            .filter(|update| update.object == Object::Local(local))
            .map(|update| (update.step, update.value))
            .collect();
        let mut additions = Vec::new();
        for (step, other) in others {
            let other = other?;
            match &self.module.values[other].op {
                Op::Atomic(Atomic { access: AtomicAccess::Load, .. }) => {}
                _ if self.addition(other).is_some() => additions.push(self.natural_addition(other)?),
                _ => {
                    let meetings =
                        self.phases[phases].1.meetings([own, step].map(|step| (step, IsCopy(false))));
                    meetings.is_empty().then_some(())?;
                }
            }
        }
        Some(additions)
    }

    /// Returns whether something is stored to a counter.
    fn is_reset(&self, value: Handle<Value>) -> bool {
        let Some(object) = self.counter(value) else { return true };
        self.resets_of(object).next().is_some()
    }

    /// What is done to atomics besides loading and adding.
    fn resets_of(&self, object: Object) -> impl Iterator<Item = Option<Handle<Value>>> {
        let to_object = self.updates.iter().filter(move |update| update.object == object);
        to_object.map(|update| update.value).filter(|value| {
            value.is_none_or(|value| {
                let op = &self.module.values[value].op;
                let is_load = matches!(op, Op::Atomic(Atomic { access: AtomicAccess::Load, .. }));
                !is_load && self.addition(value).is_none()
            })
        })
    }

    /// The loops around an addition in which something is stored to its counter.
    fn loops_with_resets(&self, value: Handle<Value>) -> Vec<Label> {
        let Some(object) = self.counter(value) else { return Vec::new() };
        let resets: Vec<Handle<Value>> = self.resets_of(object).flatten().collect();
        let is_around = |label: &Label| {
            resets.iter().any(|&reset| self.loops.around_value(reset).any(|around| around == *label))
        };
        self.loops.around_value(value).filter(is_around).collect()
    }

    /// The range of a number where some facts are known.
    pub(super) fn range_at(&mut self, value: Handle<Value>, node: Option<usize>) -> Interval {
        let term = self.term_of(value);
        self.range_of_term_at(term, node)
    }

    pub(super) fn range_of_term_at(&mut self, term: Term, node: Option<usize>) -> Interval {
        let (mut found, plain) = (self.knowledge.range(term), self.knowledge.uncast(term));
        let is_it = |other: Term| other == term || other == plain;
        for (_, fact) in self.recorder.facts_at(node) {
            let known = fact.ranges.iter().filter(|(other, _)| is_it(*other));
            found = known.fold(found, |found, (_, range)| found.meet(*range));
            let bound = fact.difference.certain.constant();
            let mut products =
                fact.difference.certain.products.iter().filter(|(factors, _)| !factors.is_empty());
            if let (Some((factors, sign)), None) = (products.next(), products.next())
                && matches!(factors[..], [other] if is_it(other))
            {
                match sign {
                    1 => found.min = found.min.max(-bound),
                    -1 => found.max = found.max.min(bound),
                    _ => {}
                }
            }
        }
        found
    }
}

/// The members on the way to a place, none where it goes to an element.
fn members(place: &Place) -> Vec<Option<u32>> {
    let member = |step: &ir::Step| match step {
        ir::Step::Member(member) => Some(*member),
        _ => None,
    };
    place.path.iter().map(member).collect()
}

/// What is known of any launch.
pub(super) fn of_any_launch(part: Part) -> Option<(i128, i128)> {
    match part {
        Part::GlobalSize(_) | Part::NumGroups(_) => Some((1, i128::from(u32::MAX))),
        Part::GlobalId(_) | Part::GroupId(_) => Some((0, i128::from(u32::MAX) - 1)),
        Part::LocalSize(_) => Some((1, GROUP)),
        Part::Value { scalar, .. } => {
            let Interval { min, max } = Interval::of(scalar);
            Some((min, max))
        }
        _ => None,
    }
}

/// What a small launch is.
fn of_small_launch(part: Part) -> Option<(i128, i128)> {
    match part {
        Part::GlobalId(_) | Part::GroupId(_) => Some((0, 63)),
        Part::Memory(_) => None,
        _ => Some((1, 64)),
    }
}
