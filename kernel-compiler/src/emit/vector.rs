//! Vectors put together, taken apart and rearranged.

use super::code::Code;
use super::kernel::KernelEmitter;
use crate::ir::{Handle, Numeric, Op as IrOp, Type, Value};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

impl Code<'_, '_> {
    /// A vector with a scalar in each of so many lanes; a vector as it is.
    pub(super) fn splat(&mut self, ty: Numeric, value: Word, lanes: u32) -> Word {
        if ty.lanes == lanes {
            return value;
        }
        let ty = Numeric { lanes, ..ty };
        let (vector, zero) = (self.module.numeric(ty), self.module.splat_constant(ty, 0));
        let first = self.insert(ty, zero, value, 0);
        let mut operands = vec![Operand::IdRef(first); 2];
        operands.extend(vec![Operand::LiteralBit32(0); lanes as usize]);
        self.compute_with(Op::VectorShuffle, vector, operands)
    }

    /// A vector with another lane at a position.
    pub(super) fn insert(&mut self, ty: Numeric, vector: Word, lane: Word, position: u32) -> Word {
        let operands = vec![Operand::IdRef(lane), Operand::IdRef(vector), Operand::LiteralBit32(position)];
        let ty = self.module.numeric(ty);
        self.compute_with(Op::CompositeInsert, ty, operands)
    }

    /// The lanes of one of two vectors, as a mask or a single condition says.
    ///
    /// They are chosen one by one: where Intel's compiler finds a sum that saturates in a comparison of vectors and a selection by
    /// it, it dies of a division by zero.
    pub(super) fn select_lanes(
        &mut self,
        ty: Numeric,
        (chooser, condition): (Numeric, Word),
        [accept, reject]: [Word; 2],
    ) -> Word {
        let lane_type = self.module.numeric(ty.lane());
        let mut vector = reject;
        for position in 0..ty.lanes {
            let condition = self.lane(chooser, condition, position);
            let lanes = [accept, reject].map(|vector| self.lane(ty, vector, position));
            let chosen = self.compute(Op::Select, lane_type, &[condition, lanes[0], lanes[1]]);
            vector = self.insert(ty, vector, chosen, position);
        }
        vector
    }

    /// One of two masks, by a mask.
    pub(super) fn select_mask(&mut self, ty: Numeric, mask: Word, [accept, reject]: [Word; 2]) -> Word {
        let ty = self.module.numeric(ty);
        self.compute(Op::Select, ty, &[mask, accept, reject])
    }

    /// A lane of a vector; a scalar as it is.
    pub(super) fn lane(&mut self, ty: Numeric, vector: Word, position: u32) -> Word {
        if ty.lanes == 1 {
            return vector;
        }
        let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(position)];
        let lane = self.module.numeric(ty.lane());
        self.compute_with(Op::CompositeExtract, lane, operands)
    }
}

impl KernelEmitter<'_, '_> {
    /// A vector put together lane by lane: LLVM's translator takes an OpCompositeConstruct of constants only.
    pub(super) fn construct(&mut self, parts: &[Handle<Value>], ty: Handle<Type>) -> Word {
        let ty = self.numeric_of(ty);
        if parts.len() > 1 && parts.iter().all(|part| part == &parts[0]) {
            let (lane, value) = self.numeric_operand(parts[0]);
            return self.code.splat(lane, value, ty.lanes);
        }
        if let Some(lanes) = self.constants(parts, ty) {
            return self.code.module.vector_constant(ty, &lanes);
        }
        let mut vector = self.code.module.splat_constant(ty, 0);
        let mut position = 0;
        for part in parts {
            let (part_ty, part) = self.numeric_operand(*part);
            for lane in 0..part_ty.lanes {
                let value = self.code.lane(part_ty, part, lane);
                vector = self.code.insert(ty, vector, value, position);
                position += 1;
            }
        }
        vector
    }

    /// The bits of all lanes, if they are constants.
    fn constants(&self, parts: &[Handle<Value>], ty: Numeric) -> Option<Vec<u64>> {
        let constant = |part: &Handle<Value>| match self.ir.values[*part].op {
            IrOp::Constant(bits) => Some(bits),
            _ => None,
        };
        let lanes: Option<Vec<u64>> = parts.iter().map(constant).collect();
        lanes.filter(|lanes| lanes.len() == ty.lanes as usize)
    }

    pub(super) fn extract(&mut self, vector: Handle<Value>, lane: u32) -> Word {
        let (ty, vector) = self.numeric_operand(vector);
        self.code.lane(ty, vector, lane)
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
