//! Products of vectors of integers: SPV_KHR_integer_dot_product.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{ConvertOp, Inst, IntOp, Kind, Value};
use spirv::PackedVectorFormat;

impl Lowering<'_, '_> {
    /// The sum of the products of the components, and with `AccSat` what is added to that, saturating.
    pub(super) fn integer_dot(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let accumulates = matches!(inst.op, Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat);
        let format = if accumulates { 3 } else { 2 };
        let first =
            if matches!(inst.op, Op::UDot | Op::UDotAccSat) { ConvertOp::Zext } else { ConvertOp::Sext };
        let second =
            if matches!(inst.op, Op::SDot | Op::SDotAccSat) { ConvertOp::Sext } else { ConvertOp::Zext };
        let (kind, _) = self.result_components(inst)?;
        let (a, b) = (self.factors(inst, 0, format)?, self.factors(inst, 1, format)?);
        self.same_kind(inst, a.0, b.0)?;
        if kind.is_float() || kind == Kind::Bool || kind.size() < a.0.size() {
            return Err(inst.error(Problem::TypeMismatch("the result of a product of vectors")));
        }
        let (x, y) = (self.resize(&a.1, a.0, kind, first)?, self.resize(&b.1, b.0, kind, second)?);
        let products = self.binary(inst, kind, &x, &y, |v, ab| Inst::Int(IntOp::Mul, kind, v, ab))?;
        let mut sum = self.constant(kind, 0);
        for product in products {
            sum = self.emit(kind, |v| Inst::Int(IntOp::Add, kind, v, [sum, product]))?;
        }
        if accumulates {
            let (own, accumulator) = self.scalar(inst, 2)?;
            self.same_kind(inst, own, kind)?;
            let add = if inst.op == Op::UDotAccSat { IntOp::UAddSat } else { IntOp::SAddSat };
            sum = self.emit(kind, |v| Inst::Int(add, kind, v, [sum, accumulator]))?;
        }
        self.define(inst, vec![sum])
    }

    /// The components of a vector, or those that are packed into a scalar in the format that the operand after the last one names.
    fn factors(
        &mut self,
        inst: &Instruction<'_>,
        operand: usize,
        format: usize,
    ) -> Result<(Kind, Vec<Value>), LoadError> {
        let (kind, values) = self.integers(inst, operand)?;
        if values.len() > 1 {
            return Ok((kind, values));
        }
        let number = inst.operand(format)?;
        if number != PackedVectorFormat::PackedVectorFormat4x8Bit as u32 {
            return Err(inst.error(Problem::UnknownEnumerant { what: "packed vector format", value: number }));
        }
        if kind != Kind::I32 {
            return Err(inst.error(Problem::TypeMismatch("a packed vector has 32 bits")));
        }
        Ok((Kind::I8, self.repack(&values, kind, Kind::I8)?))
    }
}
