//! Atomic instructions.
//!
//! All are executed sequentially consistent whatever order they ask for, which is always allowed.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{AtomicOp, CompareOp, Inst, Kind, Site, Value};

impl Lowering<'_, '_> {
    /// Any of them.
    pub(super) fn atomic(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, pointer) = self.values(inst, 0)?;
        let (class, pointee) = self.module.types.pointer(ty).map_err(located)?;
        let kind = self.module.types.scalar(pointee).map_err(located)?;
        self.check_memory_scope(inst, 1)?;
        if kind.size() < 4 && kind != Kind::F16 {
            return Err(inst
                .error(Problem::Environment("atomics are for integers of 32 and 64 bits, and for floats")));
        }
        let space = if inst.op == Op::AtomicLoad {
            self.space(inst, class)?
        } else {
            self.writable_space(inst, class)?
        };
        let (op, operands) = self.atomic_operands(inst, kind)?;
        let (address, site) = (pointer[0], Site(inst.offset));
        let old =
            self.emit(kind, |result| Inst::Atomic { op, kind, space, result, address, operands, site })?;
        match inst.op {
            Op::AtomicStore | Op::AtomicFlagClear => Ok(()),
            Op::AtomicFlagTestAndSet => {
                let zero = self.constant(kind, 0);
                let was_set =
                    self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Ne, kind, v, [old, zero]))?;
                self.define(inst, vec![was_set])
            }
            _ => self.define(inst, vec![old]),
        }
    }

    /// The operation, its value, and what a compare-exchange compares with.
    fn atomic_operands(
        &mut self,
        inst: &Instruction<'_>,
        kind: Kind,
    ) -> Result<(AtomicOp, [Value; 2]), LoadError> {
        let (zero, one) = (self.constant(kind, 0), self.constant(kind, 1));
        match inst.op {
            Op::AtomicLoad => return Ok((AtomicOp::Load, [zero; 2])),
            Op::AtomicStore
            | Op::AtomicExchange
            | Op::AtomicFAddEXT
            | Op::AtomicFMinEXT
            | Op::AtomicFMaxEXT => {}
            _ if kind.is_float() => {
                return Err(inst.error(Problem::TypeMismatch("the atomic operation and what it works on")));
            }
            _ => {}
        }
        let op = match inst.op {
            Op::AtomicFlagClear => return Ok((AtomicOp::Store, [zero; 2])),
            Op::AtomicFlagTestAndSet => return Ok((AtomicOp::Exchange, [one; 2])),
            Op::AtomicIIncrement => return Ok((AtomicOp::Add, [one; 2])),
            Op::AtomicIDecrement => return Ok((AtomicOp::Sub, [one; 2])),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
                let value = self.atomic_value(inst, 4, kind)?;
                let comparator = self.atomic_value(inst, 5, kind)?;
                return Ok((AtomicOp::CompareExchange, [value, comparator]));
            }
            Op::AtomicStore => AtomicOp::Store,
            Op::AtomicExchange => AtomicOp::Exchange,
            Op::AtomicIAdd => AtomicOp::Add,
            Op::AtomicISub => AtomicOp::Sub,
            Op::AtomicUMin => AtomicOp::UMin,
            Op::AtomicUMax => AtomicOp::UMax,
            Op::AtomicSMin => AtomicOp::SMin,
            Op::AtomicSMax => AtomicOp::SMax,
            Op::AtomicAnd => AtomicOp::And,
            Op::AtomicOr => AtomicOp::Or,
            Op::AtomicXor => AtomicOp::Xor,
            Op::AtomicFMinEXT => AtomicOp::FMin,
            Op::AtomicFMaxEXT => AtomicOp::FMax,
            _ => AtomicOp::FAdd,
        };
        let float_only = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
        if float_only && !kind.is_float() {
            return Err(inst.error(Problem::TypeMismatch("the atomic operation and what it works on")));
        }
        let value = self.atomic_value(inst, 3, kind)?;
        Ok((op, [value, zero]))
    }

    fn atomic_value(&mut self, inst: &Instruction<'_>, index: usize, kind: Kind) -> Result<Value, LoadError> {
        let (own, value) = self.scalar(inst, index)?;
        self.same_kind(inst, own, kind)?;
        Ok(value)
    }
}
