//! Half precision. Halves are kept, moved and converted as they are; what computes with them widens them to single precision
//! and rounds the result.
//!
//! A sum, difference, product, quotient or square root that is rounded to single precision and then to half is the one that is
//! rounded to half at once, because single precision has more than twice the digits (and two more). A fused multiply-add would
//! not be, so it is computed in double precision, where its product is exact and its sum never stops halfway between two halves
//! by rounding.

use super::Lowering;
use super::opencl::FIRST;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{CompareOp, ConvertOp, FloatOp, Inst, IntOp, Kind, Value};

impl Lowering<'_, '_> {
    /// Floats in the kind that they are computed in.
    pub(super) fn widen(&mut self, kind: Kind, values: Vec<Value>) -> Result<(Kind, Vec<Value>), LoadError> {
        if kind != Kind::F16 {
            return Ok((kind, values));
        }
        Ok((Kind::F32, self.convert_floats(&values, Kind::F16, Kind::F32)?))
    }

    /// A value that was computed in single precision as the half that it has to be; others as they are.
    pub(super) fn round_to_half(&mut self, kind: Kind, value: Value) -> Result<Value, LoadError> {
        if (kind, self.builder.kind(value)) != (Kind::F16, Kind::F32) {
            return Ok(value);
        }
        self.emit(kind, |v| Inst::Convert(ConvertOp::FToF, Kind::F32, kind, v, value))
    }

    fn convert_floats(&mut self, values: &[Value], from: Kind, to: Kind) -> Result<Vec<Value>, LoadError> {
        self.unary(to, values, |v, x| Inst::Convert(ConvertOp::FToF, from, to, v, x))
    }

    /// Whether an operand is a half or a vector of halves.
    pub(super) fn is_half(&mut self, inst: &Instruction<'_>, index: usize) -> Result<bool, LoadError> {
        Ok(self.components(inst, index)?.0 == Kind::F16)
    }

    /// OpIsNormal of halves: among the subnormal ones all are normal numbers of single precision.
    pub(super) fn is_normal_half(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (_, halves) = self.components(inst, 0)?;
        let [mask, least, count] = [0x7c00, 0x0400, 0x7800].map(|bits| self.constant(Kind::I16, bits));
        let integer = |op, a, b| move |v| Inst::Int(op, Kind::I16, v, [a, b]);
        let mut values = Vec::with_capacity(halves.len());
        for half in halves {
            let exponent = self.emit(Kind::I16, integer(IntOp::And, half, mask))?;
            let above = self.emit(Kind::I16, integer(IntOp::Sub, exponent, least))?;
            let compare = |v| Inst::Compare(CompareOp::ULt, Kind::I16, v, [above, count]);
            values.push(self.emit(Kind::Bool, compare)?);
        }
        self.define(inst, values)
    }

    /// The `fma` of halves.
    pub(super) fn fused_halves(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let mut operands = Vec::with_capacity(3);
        for index in 0..3 {
            let (kind, values) = self.floats(inst, FIRST + index)?;
            operands.push(self.convert_floats(&values, kind, Kind::F64)?);
        }
        let double = |op| move |v, ab| Inst::Float(op, Kind::F64, v, ab);
        let products = self.binary(inst, Kind::F64, &operands[0], &operands[1], double(FloatOp::Mul))?;
        let sums = self.binary(inst, Kind::F64, &products, &operands[2], double(FloatOp::Add))?;
        let values = self.convert_floats(&sums, Kind::F64, Kind::F16)?;
        self.define(inst, values)
    }

    /// The `nextafter` of halves, by their bits: in the order of the numbers they are integers around zero.
    pub(super) fn next_half(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((kind, from), (to_kind, to)) =
            (self.components(inst, FIRST)?, self.components(inst, FIRST + 1)?);
        self.same_kind(inst, kind, to_kind)?;
        if from.len() != to.len() {
            return Err(inst.error(Problem::TypeMismatch("the number of components")));
        }
        let values = from.iter().zip(&to).map(|(&x, &y)| self.half_after(x, y));
        let values = values.collect::<Result<_, _>>()?;
        self.define(inst, values)
    }

    fn half_after(&mut self, x: Value, y: Value) -> Result<Value, LoadError> {
        let [zero, one, sign, nan] = [0, 1, 0x8000, 0x7e00].map(|bits| self.constant(Kind::I16, bits));
        let (x_place, x_negative, x_nan) = self.half_place(x)?;
        let (y_place, _, y_nan) = self.half_place(y)?;
        let up = self.half_test(CompareOp::SLt, x_place, y_place)?;
        let same = self.half_test(CompareOp::Eq, x_place, y_place)?;
        let (above, below) =
            (self.half_bits(IntOp::Add, x_place, one)?, self.half_bits(IntOp::Sub, x_place, one)?);
        let place = self.half_choice(up, above, below)?;
        // What comes to zero from below it keeps its sign.
        let (below_zero, is_zero) =
            (self.half_test(CompareOp::SLt, place, zero)?, self.half_test(CompareOp::Eq, place, zero)?);
        let both = |v| Inst::Int(IntOp::And, Kind::Bool, v, [is_zero, x_negative]);
        let negative_zero = self.emit(Kind::Bool, both)?;
        let either = |a, b| move |v| Inst::Int(IntOp::Or, Kind::Bool, v, [a, b]);
        let negative = self.emit(Kind::Bool, either(below_zero, negative_zero))?;
        let mirrored = self.half_bits(IntOp::Sub, sign, place)?;
        let next = self.half_choice(negative, mirrored, place)?;
        let next = self.half_choice(same, y, next)?;
        let unordered = self.emit(Kind::Bool, either(x_nan, y_nan))?;
        self.half_choice(unordered, nan, next)
    }

    /// Where a half is in the order of all, counted from zero; whether its sign is set, and whether it is NaN.
    fn half_place(&mut self, half: Value) -> Result<(Value, Value, Value), LoadError> {
        let [zero, sign, rest, infinity] =
            [0, 0x8000, 0x7fff, 0x7c00].map(|bits| self.constant(Kind::I16, bits));
        let negative = self.half_test(CompareOp::SLt, half, zero)?;
        let mirrored = self.half_bits(IntOp::Sub, sign, half)?;
        let place = self.half_choice(negative, mirrored, half)?;
        let size = self.half_bits(IntOp::And, half, rest)?;
        let is_nan = self.half_test(CompareOp::ULt, infinity, size)?;
        Ok((place, negative, is_nan))
    }

    fn half_bits(&mut self, op: IntOp, a: Value, b: Value) -> Result<Value, LoadError> {
        self.emit(Kind::I16, |v| Inst::Int(op, Kind::I16, v, [a, b]))
    }

    fn half_test(&mut self, op: CompareOp, a: Value, b: Value) -> Result<Value, LoadError> {
        self.emit(Kind::Bool, |v| Inst::Compare(op, Kind::I16, v, [a, b]))
    }

    fn half_choice(&mut self, condition: Value, a: Value, b: Value) -> Result<Value, LoadError> {
        self.emit(Kind::I16, |v| Inst::Select(Kind::I16, v, condition, [a, b]))
    }
}
