//! The halves of numbers of 64 bits.
//!
//! `(x >> 32) as u32` is one of two registers. Where Intel's compiler sees a shift it computes what is made of both halves in 64 bits, and moves them together and apart again for
//! each operation, on GPUs that have such instructions. Of a vector of two elements, which the number is as bits, it takes the element. Other casts to 32 bits stay what they are, so
//! that compilers leave out the upper half of what they are made of.

use super::kernel::KernelEmitter;
use crate::ir::{Check, Handle, Module, Numeric, Op as IrOp, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

/// The elements that a number of 64 bits has as a vector, the lower half first.
const HALVES: Numeric = Numeric { scalar: Scalar::U32, lanes: 2 };

/// Which numbers are asked for their upper halves, by their positions.
pub(super) fn split_numbers(module: &Module) -> Vec<bool> {
    let mut split = vec![false; module.values.len()];
    for (_, value) in module.values.iter() {
        if let IrOp::Cast(operand) = value.op
            && let Some(whole) = shifted(module, operand)
        {
            split[whole.index()] = true;
        }
    }
    split
}

/// What is shifted to the right by half of its bits.
fn shifted(module: &Module, value: Handle<Value>) -> Option<Handle<Value>> {
    match module.values[value].op {
        IrOp::Binary { op: BinaryOp::Shr, left, right, overflow: Check::Proved, .. }
            if is_long(module, left) && module.values[right].op == IrOp::Constant(32) =>
        {
            Some(left)
        }
        _ => None,
    }
}

fn is_long(module: &Module, value: Handle<Value>) -> bool {
    matches!(module.scalar(module.values[value].ty), Some(Scalar::U64 | Scalar::I64))
}

impl KernelEmitter<'_, '_> {
    /// A cast to an integer of at most 32 bits of a half of a number whose halves are both asked for, or of its upper one.
    pub(super) fn cast_of_half(&mut self, operand: Handle<Value>, to: Scalar) -> Option<Word> {
        if !to.is_integer() || to.bits() > 32 {
            return None;
        }
        let (whole, half) = match shifted(self.ir, operand) {
            Some(whole) => (whole, 1),
            None if self.split_numbers[operand.index()] => (operand, 0),
            None => return None,
        };
        let (whole, vector) = (self.id(whole), self.code.module.numeric(HALVES));
        let vector = self.code.compute(Op::Bitcast, vector, &[whole]);
        let half = self.code.lane(HALVES, vector, half);
        Some(self.code.cast(half, HALVES.lane(), to))
    }
}
