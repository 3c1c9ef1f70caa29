//! `usize` in 32 bits, where the analysis shows that nothing is lost.
//!
//! GPUs compute with 32 bits, and a sum or product of 64 bits takes several instructions. The low half of a sum, difference, product
//! or bitwise combination depends on the low halves of the operands only, so where the result fits in 32 bits, it is computed from those;
//! divisions, remainders and comparisons need operands that fit. Each result is also extended to 64 bits where it is computed, for the uses
//! that need that; compilers drop what is not used. Variables that only ever hold such values have 32 bits.

use super::kernel::{Ids, KernelEmitter};
use crate::analysis::{Analysis, Interval};
use crate::ir::{Base, Check, Handle, Module, Op as IrOp, Place, Statement, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

const NARROW: Interval = Interval::of(Scalar::U32);

/// Whether a value is a `usize` that fits in 32 bits whenever it is computed.
pub(super) fn fits(module: &Module, analysis: &Analysis, value: Handle<Value>) -> bool {
    let Value { ty, op, .. } = &module.values[value];
    module.scalar(*ty) == Some(Scalar::Usize)
        && match op {
            IrOp::Constant(bits) => u32::try_from(*bits).is_ok(),
            _ => analysis.range(value).is_some_and(|range| range.is_within(NARROW)),
        }
}

/// Which variables need 32 bits only, by their positions.
pub(super) fn narrow_variables(module: &Module, analysis: &Analysis) -> Vec<bool> {
    let is_usize = |variable: &crate::ir::Variable| module.scalar(variable.ty) == Some(Scalar::Usize);
    let mut narrow: Vec<bool> = module.variables.iter().map(|(_, variable)| is_usize(variable)).collect();
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Store { place: Place { base: Base::Variable(variable), .. }, value } = statement {
            narrow[variable.index()] &= fits(module, analysis, *value);
        }
    });
    // What is returned has the type that others know.
    if let Some(result) = module.export.and_then(|export| export.result) {
        narrow[result.index()] = false;
    }
    narrow
}

impl KernelEmitter<'_, '_> {
    fn fits(&self, value: Handle<Value>) -> bool {
        fits(self.ir, self.analysis, value)
    }

    /// The low 32 bits of a `usize`.
    pub(super) fn low_half(&mut self, value: Handle<Value>) -> Word {
        if let Some(&half) = self.low_halves.get(&value) {
            return half;
        }
        match self.ir.values[value].op {
            IrOp::Constant(bits) => return self.code.module.int_constant(32, bits & u64::from(u32::MAX)),
            IrOp::Select { condition, accept, reject } => {
                // A choice that is known is the value itself.
                if let IrOp::Constant(holds) = self.ir.values[condition].op {
                    return self.low_half(if holds == 0 { reject } else { accept });
                }
            }
            IrOp::Cast(operand) if self.ir.scalar(self.ir.values[operand].ty) == Some(Scalar::U32) => {
                return self.id(operand);
            }
            _ => {}
        }
        let (wide, int) = (self.id(value), self.code.module.int(32));
        self.code.compute(Op::UConvert, int, &[wide])
    }

    /// The value whose low half is all there is to it.
    pub(super) fn extend(&mut self, value: Handle<Value>, half: Word) -> Word {
        self.low_halves.insert(value, half);
        let long = self.code.module.int(64);
        self.code.compute(Op::UConvert, long, &[half])
    }

    /// An operator on `usize`, if it can be computed in 32 bits.
    pub(super) fn narrow_binary(&mut self, value: Handle<Value>) -> Option<Ids> {
        use BinaryOp::{Add, And, Div, Mul, Or, Rem, Shr, Sub, Xor};
        let IrOp::Binary { op, left, right, nonzero, overflow } = self.ir.values[value].op else {
            return None;
        };
        if self.ir.scalar(self.ir.values[left].ty) != Some(Scalar::Usize)
            || [nonzero, overflow] != [Check::Proved; 2]
        {
            return None;
        }
        let both_fit = self.fits(left) && self.fits(right);
        let is_possible = match op {
            Add | Sub | Mul | And | Or | Xor => self.fits(value),
            Div | Rem => both_fit,
            Shr => both_fit && matches!(self.ir.values[right].op, IrOp::Constant(0..32)),
            other => both_fit && other.is_comparison(),
        };
        if !is_possible {
            return None;
        }
        let [left, right] = [left, right].map(|operand| self.low_half(operand));
        let result = self.code.binary(op, Scalar::U32.into(), left, right);
        Some(Ids::One(if op.is_comparison() { result } else { self.extend(value, result) }))
    }
}
