//! Sums, differences, products and shifts of integers whose exact result must fit.
//!
//! The wrapped result is computed first, and what is asked of it are comparisons that every consumer knows: the instructions with a carry need
//! structures, and compilers recognise these forms.

use super::check::{FirstValue, Guard};
use super::code::Code;
use crate::ir::{Handle, Math, Numeric, Site};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use rspirv::spirv::{Op, Word};

/// An operation whose result has been wrapped.
pub(super) struct Checked {
    pub(super) op: BinaryOp,
    pub(super) ty: Numeric,
    /// The type of the right operand, which for a shift may be another one.
    pub(super) right_ty: Numeric,
    pub(super) operands: [Word; 2],
    pub(super) result: Word,
}

impl Code<'_, '_> {
    /// Keeps a fault about an operation whose exact result is not the wrapped one.
    pub(super) fn check_overflow(&mut self, operation: &Checked, site: Handle<Site>) {
        let lanes = match operation.op {
            _ if operation.op.is_shift() => self.counts_less_than_width(operation),
            BinaryOp::Mul => self.fits_product(operation),
            _ if operation.ty.scalar.is_signed() => self.fits_signed(operation),
            _ => self.fits_unsigned(operation),
        };
        let holds = self.all(operation.ty, lanes);
        self.keep_fault_unless(holds, |code| {
            let [first, second] = code.values_of(operation, site);
            vec![Guard { holds, site, first: FirstValue::Wide(first), second, is_below: false }]
        });
    }

    /// A sum that is less than an operand has wrapped, as has the difference from a greater number.
    fn fits_unsigned(&mut self, &Checked { op, ty, operands: [left, right], result, .. }: &Checked) -> Word {
        match op {
            BinaryOp::Sub => self.binary(BinaryOp::Ge, ty, left, right),
            _ => self.binary(BinaryOp::Ge, ty, result, left),
        }
    }

    /// A sum has wrapped where its sign is that of neither operand; a difference, where the signs of the operands differ, and that of the result is
    /// the right one's.
    fn fits_signed(&mut self, &Checked { op, ty, operands: [left, right], result, .. }: &Checked) -> Word {
        let (one, other) = match op {
            BinaryOp::Sub => ([left, right], [left, result]),
            _ => ([left, result], [right, result]),
        };
        let [one, other] = [one, other].map(|[a, b]| self.binary(BinaryOp::Xor, ty, a, b));
        let both = self.binary(BinaryOp::And, ty, one, other);
        let zero = self.module.splat_constant(ty, 0);
        self.binary(BinaryOp::Ge, ty, both, zero)
    }

    /// The upper half of the product is the extension of the lower half.
    fn fits_product(&mut self, &Checked { ty, operands, result, .. }: &Checked) -> Word {
        let high = self.math(Math::MulHi, ty, &operands);
        let extension = if ty.scalar.is_signed() {
            let last = self.module.splat_constant(ty, u64::from(ty.scalar.bits() - 1));
            self.binary(BinaryOp::Shr, ty, result, last)
        } else {
            self.module.splat_constant(ty, 0)
        };
        self.binary(BinaryOp::Eq, ty, high, extension)
    }

    /// As an unsigned number, a negative count is greater than each width.
    fn counts_less_than_width(
        &mut self,
        &Checked { ty, right_ty, operands: [_, count], .. }: &Checked,
    ) -> Word {
        let width = self.module.splat_constant(right_ty, u64::from(ty.scalar.bits()));
        let bools = self.module.numeric(right_ty.of(Scalar::Bool));
        self.compute(Op::ULessThan, bools, &[count, width])
    }

    /// The operands, extended to 64 bits; that of a negation alone. A vector has none, since the fault does not say which lane it is about.
    fn values_of(&mut self, operation: &Checked, site: Handle<Site>) -> [Word; 2] {
        let none = self.module.int_constant(64, 0);
        let &Checked { ty, right_ty, operands: [left, right], .. } = operation;
        if ty.lanes > 1 {
            return [none; 2];
        }
        let is_negation = self.module.ir.sites[site].kind == FaultKind::NegationOverflow;
        let mut wide = |operand, ty: Numeric| {
            let to = if ty.scalar.is_signed() { Scalar::I64 } else { Scalar::U64 };
            self.cast(operand, ty, to)
        };
        if is_negation { [wide(right, right_ty), none] } else { [wide(left, ty), wide(right, right_ty)] }
    }
}
