//! Whether a loop with steps goes on.
//!
//! A counter goes on if its step is less than what is left to the end, so that it does not run past the last number: `step < end - counter`. The counter differs between
//! work-items, so all of that would be computed for each of them. But it is the same as `counter < end - step`, or never where the step is not less than the end; and what the counter is compared with
//! then is the same in all passes, and mostly for all work-items.

use super::kernel::{Ids, KernelEmitter};
use crate::ir::{Handle, Op as IrOp, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

impl KernelEmitter<'_, '_> {
    /// A comparison of a step with what is left to an end, as one of the counter with what does not change in the loop.
    pub(super) fn goes_on(&mut self, value: Handle<Value>) -> Option<Ids> {
        let IrOp::Binary { op: BinaryOp::Lt, left: step, right: rest, .. } = self.ir.values[value].op else {
            return None;
        };
        let IrOp::Binary { op: BinaryOp::Sub, left: end, right: counter, .. } = self.ir.values[rest].op
        else {
            return None;
        };
        let changes = [step, end].iter().any(|operand| matches!(self.ir.values[*operand].op, IrOp::Load(_)));
        if changes || !self.analysis.is_natural_difference(rest) {
            return None;
        }
        let operands = [step, end, counter];
        let (scalar, [step, end, counter]) = if operands.iter().all(|operand| self.fits(*operand)) {
            (Scalar::U32, operands.map(|operand| self.low_half(operand)))
        } else {
            (Scalar::Usize, operands.map(|operand| self.id(operand)))
        };
        Some(Ids::One(self.is_before(scalar, counter, [step, end])))
    }

    fn is_before(&mut self, scalar: Scalar, counter: Word, [step, end]: [Word; 2]) -> Word {
        let ty = self.code.module.numeric(scalar.into());
        let is_less = self.code.binary(BinaryOp::Lt, scalar.into(), step, end);
        let last = self.code.binary(BinaryOp::Sub, scalar.into(), end, step);
        let zero = self.code.module.splat_constant(scalar.into(), 0);
        let limit = self.code.compute(Op::Select, ty, &[is_less, last, zero]);
        self.code.binary(BinaryOp::Lt, scalar.into(), counter, limit)
    }
}
