//! Operations with checks.
//!
//! Where a condition does not hold, the work-item keeps the fault and leaves the kernel. In a kernel with barriers, or functions that all
//! work-items of a group call together, others would wait for it; so there the operation is left out, zero is taken for its value, and the work-item
//! goes on.

use super::code::Code;
use super::kernel::KernelEmitter;
use crate::ir::{self, Check, Fault, Handle, Site, Value};
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

/// A condition that must hold for an operation to be defined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// The condition.
    pub(super) holds: Word,
    /// Where the fault is if it does not hold.
    pub(super) site: Handle<Site>,
    /// The first value that goes with the fault.
    pub(super) first: FirstValue,
    /// The second one, a 64-bit integer.
    pub(super) second: Word,
    /// Whether the condition is that the first value is below the second.
    pub(super) is_below: bool,
}

/// The first value that goes with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstValue {
    /// A 64-bit integer.
    Wide(Word),
    /// A 32-bit integer.
    Narrow(Word),
    /// The product of two 32-bit integers and others added to it, as 64 bits: computed where the fault is, not from what is computed in 32 bits elsewhere, which would stay in
    /// registers until then.
    Sum { factors: [Word; 2], addends: [Word; 2] },
}

impl Code<'_, '_> {
    /// Computes a value if all conditions hold; else records the fault and takes zero.
    pub(super) fn guarded_value(
        &mut self,
        guards: &[Guard],
        ty: Word,
        zero: Word,
        operation: impl FnOnce(&mut Self) -> Word,
    ) -> Word {
        let Some(all) = self.all_hold(guards) else { return operation(self) };
        if self.end_unless(all, guards) {
            return operation(self);
        }
        self.either(all, ty, operation, |code| {
            code.keep_fault(guards);
            zero
        })
    }

    /// Runs an operation if all conditions hold; else records the fault.
    pub(super) fn guarded_effect(&mut self, guards: &[Guard], operation: impl FnOnce(&mut Self)) {
        let Some(all) = self.all_hold(guards) else { return operation(self) };
        if self.end_unless(all, guards) {
            return operation(self);
        }
        let [accept, reject, merge] = [self.label(), self.label(), self.label()];
        self.branch_if(all, accept, reject);
        let header = self.blocks.len();
        self.open(accept);
        operation(self);
        self.branch(merge);
        self.open(reject);
        self.keep_fault(guards);
        self.branch(merge);
        self.merge(header, Op::SelectionMerge, &[merge]);
        self.open(merge);
    }

    /// In a kernel whose work-items end at a fault: has one keep the fault and end, unless a condition holds. Else nothing is done, and the answer is no.
    pub(super) fn end_unless(&mut self, condition: Word, guards: &[Guard]) -> bool {
        let ends = self.ends_at_faults();
        if ends {
            self.keep_fault_unless(condition, |_| guards.to_vec());
        }
        ends
    }

    /// Keeps the fault of the first guard that does not hold, or else of the last one, unless a condition holds.
    pub(super) fn keep_fault_unless(
        &mut self,
        condition: Word,
        guards: impl FnOnce(&mut Self) -> Vec<Guard>,
    ) {
        let [reject, merge] = [self.label(), self.label()];
        self.branch_if(condition, merge, reject);
        let header = self.blocks.len();
        self.open(reject);
        let guards = guards(self);
        self.keep_fault(&guards);
        if self.ends_at_faults() {
            self.end_at_fault();
        } else {
            self.branch(merge);
            self.merge(header, Op::SelectionMerge, &[merge]);
        }
        self.open(merge);
    }

    /// Returns whether all conditions hold; none if there are none.
    pub(super) fn all_hold(&mut self, guards: &[Guard]) -> Option<Word> {
        let bool = self.module.bool();
        let conditions = guards.iter().map(|guard| guard.holds);
        conditions.reduce(|all, holds| self.compute(Op::LogicalAnd, bool, &[all, holds]))
    }
}

impl KernelEmitter<'_, '_> {
    /// A condition, whose fault is kept where it does not hold.
    pub(super) fn require(&mut self, condition: Handle<Value>, faults: &[Fault]) -> Word {
        let holds = self.id(condition);
        let guards: Vec<_> = faults.iter().filter_map(|fault| self.guard_of(holds, fault)).collect();
        if matches!(self.ir.values[condition].op, ir::Op::Constant(0)) {
            let words: Vec<Word> =
                faults.iter().flat_map(|fault| &fault.words).map(|word| self.id(*word)).collect();
            self.code.keep_words(&words);
            self.code.keep_fault(&guards);
            self.code.end_at_fault();
        } else if !guards.is_empty() {
            self.code.keep_fault_unless(holds, |_| guards);
        }
        holds
    }

    /// Returns whether a fault is not there only because its first value is below the second; of the last of several, that the others are not there.
    fn is_of_index(&self, fault: &Fault) -> bool {
        let condition = fault.unless.map(|condition| &self.ir.values[condition].op);
        match condition {
            Some(ir::Op::Binary { op: BinaryOp::Lt, left, right, .. }) => [*left, *right] == fault.values,
            Some(_) => false,
            None => true,
        }
    }

    /// The first value that goes with a fault.
    pub(super) fn first_value(&mut self, value: Handle<Value>) -> FirstValue {
        if self.fits(value) {
            FirstValue::Narrow(self.low_half(value))
        } else {
            FirstValue::Wide(self.id(value))
        }
    }

    fn guard_of(&mut self, condition: Word, fault: &Fault) -> Option<Guard> {
        let Check::At(site) = fault.check else { return None };
        let holds = fault.unless.map_or(condition, |other| self.id(other));
        let [first, second] = fault.values;
        Some(Guard {
            holds,
            site,
            first: self.first_value(first),
            second: self.id(second),
            is_below: self.is_of_index(fault),
        })
    }
}
