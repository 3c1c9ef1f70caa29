//! Numbers that nobody else gets: what `fetch_add` returns.
//!
//! Where a kernel does nothing else to its atomics in global memory than load them and add numbers that are at least 1, no two additions to one atomic
//! find the same there, as long as it does not wrap around. One of 64 bits does not; one of 32 bits does not where each of the work-items of one dimension, which are
//! fewer than 2^32, adds 1 once.
//!
//! In a group two more are: what an atomic in local memory gives out between two barriers, and the sums over the work-items before, of numbers that are not zero at the
//! two. Neither wraps, since groups are small.

use super::pair::{Owner, Pair, Sum};
use super::phases::{Copies, IsCopy};
use super::record::Object;
use super::{Checker, Ordered, Update};
use crate::analysis::term::{Node, Term};
use crate::analysis::uniformity::Uniformity;
use crate::ir::{
    Among, Atomic, AtomicAccess, AtomicOp, Base, Collective, Combine, Extent, Group, Handle, LocalVariable,
    Memory, Op, Place, Type, Value,
};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

impl Pair<'_, '_> {
    /// Returns whether an equation is of two numbers that nobody else gets, and of less between them than is added for each.
    pub(super) fn is_between_tickets(&mut self, equation: &Sum) -> bool {
        let tickets: Vec<Handle<Value>> = equation
            .products
            .keys()
            .flatten()
            .filter(|atom| atom.owner == Owner::First)
            .filter_map(|atom| match self.checker.knowledge.terms.node(atom.term) {
                Node::Opaque(value) => Some(value),
                _ => None,
            })
            .collect();
        tickets.into_iter().any(|ticket| self.is_between(ticket, equation))
    }

    fn is_between(&mut self, ticket: Handle<Value>, equation: &Sum) -> bool {
        let Op::Atomic(Atomic { access: AtomicAccess::Update(_, by), .. }) =
            self.checker.module.values[ticket].op
        else {
            return false;
        };
        let Op::Constant(by) = self.checker.module.values[by].op else { return false };
        let term = self.checker.term_of(ticket);
        let [one, other] = [Owner::First, Owner::Second].map(|owner| self.sum_of_term(term, owner));
        let difference = one.plus(other, -1);
        [1, -1].into_iter().any(|sign| {
            let rest = equation.clone().plus(difference.clone(), -sign);
            rest.products.len() + difference.products.len() == equation.products.len()
                && self.is_within(&rest, &Sum::product(Vec::new(), i128::from(by)))
                && self.checker.is_ticket(ticket)
                && self.checker.adds_at_least(by)
        })
    }

    /// Returns whether the two cannot have the same number for a term.
    pub(super) fn is_distinct(&mut self, term: Term) -> bool {
        let value = match self.checker.knowledge.terms.node(term) {
            Node::Opaque(value) => value,
            Node::Binary(BinaryOp::Add, start, place) => return self.is_reserved([start, place]),
            _ => return false,
        };
        match self.checker.module.values[value].op {
            Op::Distinct(Among::Launch, _) => true,
            Op::Distinct(Among::WorkGroup, _) => self.context.who.is_of_one_group(),
            _ => self.checker.is_ticket(value) || self.is_place_in_group(value),
        }
    }
}

impl Checker<'_> {
    /// Returns whether a value is a number that no other work-item gets.
    fn is_ticket(&mut self, value: Handle<Value>) -> bool {
        let module = self.module;
        let Op::Atomic(Atomic { place, access: AtomicAccess::Update(AtomicOp::Add, by), .. }) =
            &module.values[value].op
        else {
            return false;
        };
        let never_wraps = match module.scalar(module.values[value].ty) {
            Some(scalar) if scalar.bits() == 64 => true,
            Some(scalar) if scalar.bits() == 32 => {
                module.rank() == 1
                    && matches!(module.values[*by].op, Op::Constant(1))
                    && self.loops.around_value(value).next().is_none()
                    && self.count_of_additions() == 1
            }
            _ => false,
        };
        never_wraps && self.is_counter(place) && !self.writes_atomics && self.only_adds()
    }

    /// Returns whether all work-items of the launch access the same atomic at a place in global memory.
    pub(super) fn is_counter(&self, place: &Place) -> bool {
        let module = self.module;
        let is_one = place.indices().all(|index| match module.values[index.index].op {
            Op::Constant(_) | Op::Parameter(_) => true,
            _ => {
                self.uniformities.values[index.index.index()] == Uniformity::Launch
                    && self.loops.around_value(index.index).next().is_none()
            }
        });
        let is_parameter = match place.base {
            Base::Slice(base) | Base::Pointer(base) => matches!(module.values[base].op, Op::Parameter(_)),
            _ => false,
        };
        is_one && is_parameter
    }

    /// Returns whether atomics in global memory are loaded and added to only.
    fn only_adds(&self) -> bool {
        let module = self.module;
        module.values.iter().all(|(_, value)| match &value.op {
            Op::Atomic(Atomic { place, access, .. }) => {
                module.is_local(place)
                    || match access {
                        AtomicAccess::Load => true,
                        AtomicAccess::Update(AtomicOp::Add, by) => {
                            let is_small = |bits: u64| (1..=u64::from(u16::MAX)).contains(&bits);
                            let is_integer =
                                module.scalar(module.values[*by].ty).is_some_and(|scalar| !scalar.is_float());
                            is_integer
                                && matches!(module.values[*by].op, Op::Constant(bits) if is_small(bits))
                        }
                        _ => false,
                    }
            }
            // What others do to atomics is not known.
            Op::Call(_) => false,
            _ => !matches!(module.types[value.ty], Type::Pointer { raw: true, .. }),
        })
    }

    /// Returns whether each addition to an atomic in global memory is of at least so much.
    fn adds_at_least(&self, least: u64) -> bool {
        self.module.values.iter().all(|(_, value)| match &value.op {
            Op::Atomic(Atomic { place, access: AtomicAccess::Update(_, by), .. }) => {
                self.module.is_local(place)
                    || matches!(self.module.values[*by].op, Op::Constant(by) if by >= least)
            }
            _ => true,
        })
    }

    fn count_of_additions(&self) -> usize {
        let is_addition = |op: &Op| matches!(op, Op::Atomic(Atomic { access: AtomicAccess::Update(..), .. }));
        self.module.values.iter().filter(|(_, value)| is_addition(&value.op)).count()
    }
}

impl Pair<'_, '_> {
    /// Returns whether a value is a number that no other work-item of the group gets in the same pass of the loops around.
    fn is_place_in_group(&mut self, value: Handle<Value>) -> bool {
        self.context.who.is_of_one_group()
            && match &self.checker.module.values[value].op {
                Op::Collective {
                    group: Group::WorkGroup,
                    collective: Collective::Fold(Combine::Add, Extent::Exclusive | Extent::Inclusive),
                    operands,
                } => operands.first().is_some_and(|&operand| self.is_sum_of_others(value, operand)),
                Op::Atomic(Atomic { place, access: AtomicAccess::Update(AtomicOp::Add, by), .. }) => {
                    match place.base {
                        Base::Local(local) if place.path.is_empty() => {
                            self.checker.is_ticket_of_group(value, local, *by)
                        }
                        _ => false,
                    }
                }
                _ => false,
            }
    }

    /// Returns whether the sum over those before grows with each of the two: each brings at least 1, and nobody brings so much that it wraps.
    pub(super) fn is_sum_of_others(&mut self, value: Handle<Value>, operand: Handle<Value>) -> bool {
        let term = self.checker.term_of(operand);
        let is_small = self.checker.knowledge.range(term);
        self.checker.is_wide(value)
            && is_small.min >= 0
            && is_small.max <= i128::from(u16::MAX)
            && self.checker.loops.around_value(value).all(|label| self.same_pass(label))
            && [Owner::First, Owner::Second].into_iter().all(|owner| self.is_at_least_one(term, owner))
    }

    /// Returns whether one of the two has a number that is not zero.
    pub(super) fn is_at_least_one(&mut self, term: Term, owner: Owner) -> bool {
        if self.is_true(term, owner, 0) {
            return true;
        }
        let knowledge = &self.checker.knowledge;
        let condition = match knowledge.terms.node(term) {
            Node::Cast(flag) if knowledge.terms.scalar(flag) == Scalar::Bool => flag,
            Node::Select(condition, accept, _)
                if knowledge.terms.constant_of(accept).is_some_and(|one| one > 0) =>
            {
                condition
            }
            _ => term,
        };
        self.is_true(condition, owner, 4)
    }

    /// Returns whether one of the two has zero for a number that is not negative.
    pub(super) fn is_zero(&mut self, term: Term, owner: Owner) -> bool {
        if self.is_false(term, owner, 0) {
            return true;
        }
        let knowledge = &self.checker.knowledge;
        let condition = match knowledge.terms.node(term) {
            Node::Cast(flag) if knowledge.terms.scalar(flag) == Scalar::Bool => flag,
            Node::Select(condition, _, reject) if knowledge.terms.constant_of(reject) == Some(0) => condition,
            _ => return false,
        };
        self.is_false(condition, owner, 4)
    }

    /// Returns whether a condition is known to hold for one of the two, or a number to be at least 1.
    fn is_true(&mut self, condition: Term, owner: Owner, depth: u32) -> bool {
        let number = self.sum_of_term(condition, owner);
        if self.is_at_least(&number, 1) {
            return true;
        }
        match self.checker.knowledge.terms.node(condition) {
            Node::Unary(UnaryOp::Not, operand) => depth > 0 && self.is_false(operand, owner, depth - 1),
            Node::Binary(op, left, right) => match op {
                BinaryOp::And => depth > 0 && self.are(Self::is_true, [left, right], owner, depth),
                BinaryOp::Lt => self.is_in_order([left, right], owner, 1),
                BinaryOp::Le => self.is_in_order([left, right], owner, 0),
                BinaryOp::Eq => self.is_same_number([left, right], owner),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether a condition is known not to hold for one of the two.
    fn is_false(&mut self, condition: Term, owner: Owner, depth: u32) -> bool {
        let number = self.sum_of_term(condition, owner);
        if self.is_at_least(&Sum::default().plus(number, -1), 0) {
            return true;
        }
        match self.checker.knowledge.terms.node(condition) {
            Node::Unary(UnaryOp::Not, operand) => depth > 0 && self.is_true(operand, owner, depth - 1),
            Node::Binary(op, left, right) => match op {
                BinaryOp::Or => depth > 0 && self.are(Self::is_false, [left, right], owner, depth),
                BinaryOp::Lt => self.is_in_order([right, left], owner, 0),
                BinaryOp::Le => self.is_in_order([right, left], owner, 1),
                BinaryOp::Ne => self.is_same_number([left, right], owner),
                BinaryOp::Eq => {
                    [[left, right], [right, left]].into_iter().any(|sides| self.is_in_order(sides, owner, 1))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether both sides of a connective of conditions, none of numbers, are so.
    fn are(
        &mut self,
        so: fn(&mut Self, Term, Owner, u32) -> bool,
        sides: [Term; 2],
        owner: Owner,
        depth: u32,
    ) -> bool {
        self.checker.knowledge.terms.scalar(sides[0]) == Scalar::Bool
            && sides.into_iter().all(|side| so(self, side, owner, depth - 1))
    }

    /// Returns whether one number is known to be less than another one by some.
    fn is_in_order(&mut self, sides: [Term; 2], owner: Owner, distance: i128) -> bool {
        let [left, right] = sides.map(|side| self.sum_of_term(side, owner));
        self.holds(&right.plus(left, -1).plus(Sum::product(Vec::new(), distance), -1))
    }

    fn is_same_number(&mut self, [left, right]: [Term; 2], owner: Owner) -> bool {
        self.is_in_order([left, right], owner, 0) && self.is_in_order([right, left], owner, 0)
    }
}

impl Checker<'_> {
    /// Returns whether an addition to an atomic in local memory gives each work-item of the group another number: none does it in a loop, all do it between the same barriers,
    /// and what is stored there is stored between others.
    fn is_ticket_of_group(
        &mut self,
        value: Handle<Value>,
        local: Handle<LocalVariable>,
        by: Handle<Value>,
    ) -> bool {
        let module = self.module;
        let is_small = matches!(module.values[by].op, Op::Constant(1..=0xffff));
        if !is_small || !self.is_wide(value) || self.loops.around_value(value).next().is_some() {
            return false;
        }
        let phases = self.phases_of(Ordered { memory: Memory::LOCAL, copies: Copies::Not });
        let others: Vec<&Update> =
            self.updates.iter().filter(|update| update.object == Object::Local(local)).collect();
        let Some(own) = others.iter().find(|update| update.value == Some(value)).map(|own| own.step) else {
            return false;
        };
        others.into_iter().all(|other| {
            let Some(atomic) = other.value else { return false };
            let is_once = self.loops.around_value(atomic).next().is_none();
            match &module.values[atomic].op {
                Op::Atomic(Atomic { access: AtomicAccess::Load, .. }) => true,
                Op::Atomic(Atomic { access: AtomicAccess::Update(AtomicOp::Add, by), .. }) => {
                    is_once && matches!(module.values[*by].op, Op::Constant(1..=0xffff))
                }
                _ => {
                    is_once
                        && self.phases[phases]
                            .1
                            .meetings([own, other.step].map(|step| (step, IsCopy(false))))
                            .is_empty()
                }
            }
        })
    }

    /// Returns whether what the work-items of a group bring together fits in the type of a value.
    pub(super) fn is_wide(&self, value: Handle<Value>) -> bool {
        let scalar = self.module.scalar(self.module.values[value].ty);
        scalar.is_some_and(|scalar| scalar.is_integer() && scalar.bits() >= 32)
    }

    /// The number that a value is.
    pub(super) fn term_of(&mut self, value: Handle<Value>) -> Term {
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        let term = self.walk.term(value);
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        term
    }
}
