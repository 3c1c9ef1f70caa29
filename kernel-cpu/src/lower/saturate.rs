//! The extended instruction set OpenCL.std: products with a sum that end at the largest and the smallest number (`mad_sat`).

use super::Lowering;
use super::opencl::FIRST;
use crate::load::LoadError;
use crate::load::words::Instruction;
use crate::program::{CompareOp, Inst, IntOp, Kind, Value};

impl Lowering<'_, '_> {
    /// `a * b + c`, of which the highest bits are looked at to see whether it fits.
    pub(super) fn saturating_mad(&mut self, inst: &Instruction<'_>, signed: bool) -> Result<(), LoadError> {
        let (kind, a, b) = self.two_integers(inst)?;
        let c = self.integers(inst, FIRST + 2)?;
        self.same_kind(inst, kind, c.0)?;
        let high = if signed { IntOp::SMulHigh } else { IntOp::UMulHigh };
        let high = self.binary(inst, kind, &a, &b, |v, ab| Inst::Int(high, kind, v, ab))?;
        let low = self.binary(inst, kind, &a, &b, |v, ab| Inst::Int(IntOp::Mul, kind, v, ab))?;
        let sums = self.binary(inst, kind, &low, &c.1, |v, ab| Inst::Int(IntOp::Add, kind, v, ab))?;
        let mut values = Vec::with_capacity(sums.len());
        for (index, &sum) in sums.iter().enumerate() {
            let carry = |v| Inst::Int(IntOp::UCarry, kind, v, [low[index], c.1[index]]);
            let carry = self.emit(kind, carry)?;
            let high = self.sum(kind, high[index], carry)?;
            values.push(if signed {
                let above = self.sign_bits(kind, c.1[index])?;
                let high = self.sum(kind, high, above)?;
                self.signed_within(kind, high, sum)?
            } else {
                let zero = self.constant(kind, 0);
                let fits = self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, kind, v, [high, zero]))?;
                let most = self.constant(kind, u64::MAX >> (64 - 8 * kind.size()));
                self.emit(kind, |v| Inst::Select(kind, v, fits, [sum, most]))?
            });
        }
        self.define(inst, values)
    }

    /// The number of twice the width that these are the halves of, or the nearest one of the width.
    fn signed_within(&mut self, kind: Kind, high: Value, low: Value) -> Result<Value, LoadError> {
        let expected = self.sign_bits(kind, low)?;
        let fits = self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, kind, v, [high, expected]))?;
        // The largest number, whose bits are all turned where the sum is negative.
        let (largest, sign) =
            (self.constant(kind, u64::MAX >> (65 - 8 * kind.size())), self.sign_bits(kind, high)?);
        let end = self.emit(kind, |v| Inst::Int(IntOp::Xor, kind, v, [largest, sign]))?;
        self.emit(kind, |v| Inst::Select(kind, v, fits, [low, end]))
    }

    /// All ones for a negative number, else zero.
    fn sign_bits(&mut self, kind: Kind, x: Value) -> Result<Value, LoadError> {
        let count = self.constant(kind, u64::from(8 * kind.size() - 1));
        self.emit(kind, |v| Inst::Int(IntOp::AShr, kind, v, [x, count]))
    }

    fn sum(&mut self, kind: Kind, a: Value, b: Value) -> Result<Value, LoadError> {
        self.emit(kind, |v| Inst::Int(IntOp::Add, kind, v, [a, b]))
    }
}
