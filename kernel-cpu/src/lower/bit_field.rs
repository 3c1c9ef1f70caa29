//! Fields of bits: OpBitFieldInsert, OpBitFieldSExtract and OpBitFieldUExtract.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{ConvertOp, Inst, IntOp, IntUnary, Kind, Value};

impl Lowering<'_, '_> {
    /// An instruction on a field of so many bits from an offset on, of each component.
    pub(super) fn bit_field(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, base) = self.integers(inst, 0)?;
        let inserted = if inst.op == Op::BitFieldInsert { Some(self.integers(inst, 1)?) } else { None };
        let first = 1 + usize::from(inserted.is_some());
        let (offset, count) = (self.bits(inst, first, kind)?, self.bits(inst, first + 1, kind)?);
        let mask = self.low_bits(kind, count)?;
        let values: Result<Vec<Value>, LoadError> = match inserted {
            Some((inserted_kind, inserted)) => {
                self.same_kind(inst, kind, inserted_kind)?;
                if inserted.len() != base.len() {
                    return Err(inst.error(Problem::TypeMismatch("the number of components")));
                }
                let pairs = base.iter().zip(&inserted);
                pairs.map(|(&base, &new)| self.inserted(kind, base, new, (mask, offset))).collect()
            }
            None => {
                let is_signed = inst.op == Op::BitFieldSExtract;
                base.iter().map(|&base| self.extracted(kind, base, (mask, offset), is_signed)).collect()
            }
        };
        self.define(inst, values?)
    }

    /// A number of bits, as an integer of the same kind as what they are of.
    fn bits(&mut self, inst: &Instruction<'_>, operand: usize, kind: Kind) -> Result<Value, LoadError> {
        let (from, values) = self.integers(inst, operand)?;
        let [value] = self.resize(&values, from, kind, ConvertOp::Zext)?[..] else {
            return Err(inst.error(Problem::TypeMismatch("the number of components")));
        };
        Ok(value)
    }

    fn int(&mut self, op: IntOp, kind: Kind, a: Value, b: Value) -> Result<Value, LoadError> {
        self.emit(kind, |v| Inst::Int(op, kind, v, [a, b]))
    }

    fn not(&mut self, kind: Kind, a: Value) -> Result<Value, LoadError> {
        self.emit(kind, |v| Inst::IntUnary(IntUnary::Not, kind, v, a))
    }

    /// An integer whose lowest bits are set, so many of them as there may be: no bit, and all of them, too. A shift by all bits would be one by none, so that there are two by a
    /// half each.
    fn low_bits(&mut self, kind: Kind, count: Value) -> Result<Value, LoadError> {
        let (all, one) = (self.constant(kind, u64::MAX), self.constant(kind, 1));
        let half = self.int(IntOp::LShr, kind, count, one)?;
        let rest = self.int(IntOp::Sub, kind, count, half)?;
        let shifted = self.int(IntOp::Shl, kind, all, half)?;
        let shifted = self.int(IntOp::Shl, kind, shifted, rest)?;
        self.not(kind, shifted)
    }

    fn inserted(
        &mut self,
        kind: Kind,
        base: Value,
        new: Value,
        (mask, offset): (Value, Value),
    ) -> Result<Value, LoadError> {
        let new = self.int(IntOp::And, kind, new, mask)?;
        let new = self.int(IntOp::Shl, kind, new, offset)?;
        let place = self.int(IntOp::Shl, kind, mask, offset)?;
        let place = self.not(kind, place)?;
        let rest = self.int(IntOp::And, kind, base, place)?;
        self.int(IntOp::Or, kind, rest, new)
    }

    fn extracted(
        &mut self,
        kind: Kind,
        base: Value,
        (mask, offset): (Value, Value),
        is_signed: bool,
    ) -> Result<Value, LoadError> {
        let field = self.int(IntOp::LShr, kind, base, offset)?;
        let field = self.int(IntOp::And, kind, field, mask)?;
        if !is_signed {
            return Ok(field);
        }
        // The highest bit of the mask is the sign, and none if there is no bit.
        let one = self.constant(kind, 1);
        let lower = self.int(IntOp::LShr, kind, mask, one)?;
        let sign = self.int(IntOp::Xor, kind, mask, lower)?;
        let flipped = self.int(IntOp::Xor, kind, field, sign)?;
        self.int(IntOp::Sub, kind, flipped, sign)
    }
}
