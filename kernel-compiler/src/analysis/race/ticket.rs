//! Numbers that nobody else gets: what `fetch_add` returns.
//!
//! Where a kernel does nothing else to its atomics in global memory than load them and add numbers that are at least 1, no two additions to one atomic
//! find the same there, as long as it does not wrap around. One of 64 bits does not; one of 32 bits does not where each of the work-items of one dimension, which are
//! fewer than 2^32, adds 1 once.
//!
//! In a group two more are: what an atomic in local memory gives out between two barriers, and the sums over the work-items before, of numbers that are not zero at the
//! two. Neither wraps, since groups are small.

use super::pair::{Owner, Pair, Sum, Who};
use super::record::Object;
use super::{Checker, Ordered, Update};
use crate::analysis::term::{Node, Term};
use crate::analysis::uniformity::Uniformity;
use crate::ir::{
    Atomic, AtomicAccess, AtomicOp, Base, Collective, Combine, Extent, Group, Handle, LocalVariable, Memory,
    Op, Type, Value,
};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl Checker<'_> {
    /// Whether a value is a number that no other work-item gets.
    pub(super) fn is_ticket(&mut self, value: Handle<Value>) -> bool {
        let module = self.module;
        let Op::Atomic(Atomic { place, access: AtomicAccess::Update(AtomicOp::Add, by), .. }) =
            &module.values[value].op
        else {
            return false;
        };
        // All add to the same one.
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
        is_one && is_parameter && never_wraps && !self.writes_atomics && self.only_adds()
    }

    /// Whether atomics in global memory are loaded and added to only.
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

    fn count_of_additions(&self) -> usize {
        let is_addition = |op: &Op| matches!(op, Op::Atomic(Atomic { access: AtomicAccess::Update(..), .. }));
        self.module.values.iter().filter(|(_, value)| is_addition(&value.op)).count()
    }
}

impl Pair<'_, '_> {
    /// Whether a value is a number that no other work-item of the group gets in the same pass of the loops around.
    pub(super) fn is_place_in_group(&mut self, value: Handle<Value>) -> bool {
        self.context.who == Who::SameGroup
            && match &self.checker.module.values[value].op {
                Op::Collective {
                    group: Group::WorkGroup,
                    collective: Collective::Fold(Combine::Add, Extent::Before),
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

    /// Whether the sum over those before grows with each of the two: each brings at least 1, and nobody brings so much that it wraps.
    fn is_sum_of_others(&mut self, value: Handle<Value>, operand: Handle<Value>) -> bool {
        let module = self.checker.module;
        let is_wide = module
            .scalar(module.values[value].ty)
            .is_some_and(|scalar| scalar.is_integer() && scalar.bits() >= 32);
        let term = self.checker.term_of(operand);
        let is_small = self.checker.knowledge.range(term);
        is_wide
            && is_small.min >= 0
            && is_small.max <= i128::from(u16::MAX)
            && self.checker.loops.around_value(value).all(|label| self.same_pass(label))
            && [Owner::First, Owner::Second].into_iter().all(|owner| self.is_at_least_one(term, owner))
    }

    /// Whether one of the two has a number that is not zero.
    fn is_at_least_one(&mut self, term: Term, owner: Owner) -> bool {
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

    /// Whether a condition is known to hold for one of the two, or a number to be at least 1.
    fn is_true(&mut self, condition: Term, owner: Owner, depth: u32) -> bool {
        let number = self.sum_of_term(condition, owner);
        if self.is_at_least(&number, 1) {
            return true;
        }
        let Node::Binary(op, left, right) = self.checker.knowledge.terms.node(condition) else {
            return false;
        };
        if op == BinaryOp::And && depth > 0 {
            return [left, right].into_iter().all(|side| self.is_true(side, owner, depth - 1));
        }
        let [left, right] = [left, right].map(|side| self.sum_of_term(side, owner));
        let difference = right.plus(left, -1);
        match op {
            BinaryOp::Lt => self.holds(&difference.plus(Sum::product(Vec::new(), 1), -1)),
            BinaryOp::Le => self.holds(&difference),
            _ => false,
        }
    }
}

impl Checker<'_> {
    /// Whether an addition to an atomic in local memory gives each work-item of the group another number: none does it in a loop, all do it between the same barriers,
    /// and what is stored there is stored between others.
    fn is_ticket_of_group(
        &mut self,
        value: Handle<Value>,
        local: Handle<LocalVariable>,
        by: Handle<Value>,
    ) -> bool {
        let module = self.module;
        let is_small = matches!(module.values[by].op, Op::Constant(1..=0xffff));
        let is_wide = module
            .scalar(module.values[value].ty)
            .is_some_and(|scalar| scalar.is_integer() && scalar.bits() >= 32);
        if !is_small || !is_wide || self.loops.around_value(value).next().is_some() {
            return false;
        }
        let phases = self.phases_of(Ordered { memory: Memory::LOCAL, copies: false });
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
                _ => is_once && self.phases[phases].1.meetings(own, other.step).is_empty(),
            }
        })
    }

    /// The number that a value is.
    fn term_of(&mut self, value: Handle<Value>) -> Term {
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        let term = self.walk.term(value);
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        term
    }
}
