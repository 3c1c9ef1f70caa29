//! Operators as they are written, which Rust may check for results that do not fit.
//!
//! Where the kernel asks for it ([`Attributes::checks_overflow`](crate::ir::Attributes)), the operators of the author's own code are checked, and
//! so are those methods of the standard library that follow the setting of the code which calls them. What the compiler adds
//! for itself is right as it is.

use super::Builder;
use super::requirement::Failure;
use crate::ir::{Check, Handle, Op, Value};
use kernel_core::semantics::{BinaryOp, UnaryOp, integer_overflows, overflow_fault};
use kernel_core::{FaultKind, Scalar};

/// Whose code is being lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    /// The user's.
    User,
    /// Our own, in place of the standard library's.
    Library,
    /// The user's, but not for the device: rustc checks it in constants, and the host in the conditions of launches.
    Host,
}

impl Author {
    /// The author of code that this one's calls.
    pub(super) fn calling(self, other: Self) -> Self {
        if self == Self::Host { self } else { other }
    }
}

impl Builder<'_, '_> {
    /// Returns whether it is a fault where the exact result of what is being lowered does not fit.
    pub(crate) fn checks_overflow(&self) -> bool {
        self.module.attributes.checks_overflow && self.author == Author::User
    }

    /// The same of code of the standard library that inherits the setting of the code which calls it.
    pub(super) fn inherits_overflow_checks(&self) -> bool {
        self.module.attributes.checks_overflow && self.author != Author::Host
    }

    /// The number after another one, if there is one; else there is a fault.
    pub(super) fn successor(&mut self, number: Handle<Value>) -> Handle<Value> {
        let one = self.integer_like(number, 1);
        self.checked(BinaryOp::Add, FaultKind::AdditionOverflow, [number, one])
    }

    /// A binary operator as it is written.
    pub(super) fn operator(
        &mut self,
        op: BinaryOp,
        left: Handle<Value>,
        right: Handle<Value>,
    ) -> Handle<Value> {
        match overflow_fault(op) {
            Some(kind) if self.checks_overflow() && self.scalar_of(left).is_integer() => {
                self.checked(op, kind, [left, right])
            }
            _ => self.binary(op, left, right),
        }
    }

    /// `-` as it is written.
    pub(super) fn negation(&mut self, operand: Handle<Value>) -> Handle<Value> {
        if !self.checks_overflow() || !self.scalar_of(operand).is_signed() {
            return self.unary(UnaryOp::Neg, operand);
        }
        let zero = self.integer_like(operand, 0);
        self.checked(BinaryOp::Sub, FaultKind::NegationOverflow, [zero, operand])
    }

    fn checked(&mut self, op: BinaryOp, kind: FaultKind, operands: [Handle<Value>; 2]) -> Handle<Value> {
        let [left, right] = self.as_wide(operands);
        let scalar = self.scalar_of(left);
        let fits = match (self.constant_of(left), self.constant_of(right)) {
            (Some(left), Some(right)) => !integer_overflows(op, scalar, left, right),
            (None, Some(count)) if op.is_shift() => count < u64::from(scalar.bits()),
            _ => self.neutral(op, scalar, left, right).is_some(),
        };
        if fits {
            return self.binary(op, left, right);
        }
        let ty = self.type_of(left);
        let overflow = self.check(kind);
        self.evaluate(ty, Op::Binary { op, left, right, nonzero: Check::Proved, overflow })
    }

    /// Records a fault about these operands where a condition, or a lane of a mask, does not hold.
    pub(crate) fn assert_fits(&mut self, fits: Handle<Value>, kind: FaultKind, operands: &[Handle<Value>]) {
        let fits = self.all_lanes(fits);
        if self.constant_of(fits) == Some(1) {
            return;
        }
        let values: Vec<_> = operands.iter().filter_map(|operand| self.as_fault_value(*operand)).collect();
        self.require(fits, [Failure::new(kind, &values)]);
    }

    /// An operand as it goes with a fault; none for a vector, of which the fault does not say the lane.
    fn as_fault_value(&mut self, operand: Handle<Value>) -> Option<Handle<Value>> {
        if !self.is_scalar(operand) {
            return None;
        }
        let wide = if self.scalar_of(operand).is_signed() { Scalar::I64 } else { Scalar::U64 };
        let wide = self.cast(operand, wide);
        Some(self.cast(wide, Scalar::Usize))
    }
}
