//! Vectors put together, taken apart and rearranged.

use super::code::Code;
use super::kernel::KernelEmitter;
use crate::ir::{Handle, Numeric, Type, Value};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

impl Code<'_, '_> {
    /// A vector with a scalar in each of so many lanes; a vector as it is.
    pub(super) fn splat(&mut self, ty: Numeric, value: Word, lanes: u32) -> Word {
        if ty.lanes == lanes {
            return value;
        }
        let vector = self.module.numeric(Numeric { lanes, ..ty });
        self.compute(Op::CompositeConstruct, vector, &vec![value; lanes as usize])
    }
}

impl KernelEmitter<'_, '_> {
    pub(super) fn construct(&mut self, parts: &[Handle<Value>], ty: Handle<Type>) -> Word {
        let parts: Vec<_> = parts.iter().map(|part| self.id(*part)).collect();
        let ty = self.code.module.value_type(ty);
        self.code.compute(Op::CompositeConstruct, ty, &parts)
    }

    pub(super) fn extract(&mut self, vector: Handle<Value>, lane: u32, ty: Handle<Type>) -> Word {
        let vector = self.id(vector);
        let ty = self.code.module.value_type(ty);
        let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(lane)];
        self.code.compute_with(Op::CompositeExtract, ty, operands)
    }

    pub(super) fn shuffle(&mut self, vectors: [Handle<Value>; 2], lanes: &[u32], ty: Handle<Type>) -> Word {
        let mut operands: Vec<_> = vectors.iter().map(|vector| Operand::IdRef(self.id(*vector))).collect();
        operands.extend(lanes.iter().copied().map(Operand::LiteralBit32));
        let ty = self.code.module.value_type(ty);
        self.code.compute_with(Op::VectorShuffle, ty, operands)
    }

    /// OpAny or OpAll.
    pub(super) fn reduce(&mut self, op: Op, vector: Handle<Value>) -> Word {
        let (vector, bool) = (self.id(vector), self.code.module.bool());
        self.code.compute(op, bool, &[vector])
    }
}
