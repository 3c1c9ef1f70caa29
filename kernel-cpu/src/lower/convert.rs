//! Conversions between numbers, and bit patterns read as another type.

use super::Lowering;
use super::operand::Operand;
use super::rounding::Direction;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{ConvertOp, Inst, IntOp, Kind, MathOp, Value};
use spirv::FPRoundingMode;

impl Lowering<'_, '_> {
    /// The conversions that keep the value as far as the result type can.
    pub(super) fn convert(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (op, from_float, to_float) = match inst.op {
            Op::UConvert => (ConvertOp::Zext, false, false),
            Op::SConvert => (ConvertOp::Sext, false, false),
            Op::FConvert => (ConvertOp::FToF, true, true),
            Op::ConvertFToU => (ConvertOp::FToU, true, false),
            Op::ConvertFToS => (ConvertOp::FToS, true, false),
            Op::ConvertUToF => (ConvertOp::UToF, false, true),
            _ => (ConvertOp::SToF, false, true),
        };
        if let Some(values) = self.bfloat_conversion(inst)? {
            return self.define(inst, values);
        }
        let (from, values) = if from_float { self.floats(inst, 0)? } else { self.integers(inst, 0)? };
        let (to, _) = self.result_components(inst)?;
        if to.is_float() != to_float || to == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("the result of the conversion")));
        }
        let mode = self.module.decorations.rounding.get(&inst.result);
        let direction = mode.and_then(|&mode| Direction::of(mode));
        if let Some(direction) = direction.filter(|_| to_float) {
            let values = self.directed(op, from, to, &values, direction)?;
            return self.define(inst, values);
        }
        if matches!(op, ConvertOp::Zext | ConvertOp::Sext)
            && self.module.decorations.saturated.contains(&inst.result)
        {
            let values = self.clamped(from, to, &values, op == ConvertOp::Sext)?;
            return self.define(inst, values);
        }
        // An integer is converted to a half by way of a float: those that this rounds are beyond all halves.
        let to = if to == Kind::F16 && !from_float { Kind::F32 } else { to };
        let values = if to_float { values } else { self.round_to_integer(mode.copied(), from, values)? };
        let converted = if from == to {
            values
        } else {
            self.unary(to, &values, |v, x| Inst::Convert(op, from, to, v, x))?
        };
        self.define(inst, converted)
    }

    /// Conversions to floats that do not round to the nearest.
    fn directed(
        &mut self,
        op: ConvertOp,
        from: Kind,
        to: Kind,
        values: &[Value],
        direction: Direction,
    ) -> Result<Vec<Value>, LoadError> {
        let convert = |&x| match op {
            ConvertOp::FToF if from.size() > to.size() => self.narrowed(x, from, to, direction),
            ConvertOp::FToF if from == to => Ok(x),
            ConvertOp::FToF => self.emit(to, |v| Inst::Convert(op, from, to, v, x)),
            _ => self.integer_to_float(x, (from, op == ConvertOp::SToF), to, direction),
        };
        values.iter().map(convert).collect()
    }

    /// Rounds floats as the decoration of their conversion to integers asks; without one they are truncated.
    fn round_to_integer(
        &mut self,
        mode: Option<FPRoundingMode>,
        from: Kind,
        values: Vec<Value>,
    ) -> Result<Vec<Value>, LoadError> {
        let function = match mode {
            Some(FPRoundingMode::RTE) => MathOp::Rint,
            Some(FPRoundingMode::RTP) => MathOp::Ceil,
            Some(FPRoundingMode::RTN) => MathOp::Floor,
            Some(FPRoundingMode::RTZ) | None => return Ok(values),
        };
        if !from.is_float() {
            return Ok(values);
        }
        self.unary(from, &values, |v, x| Inst::Math(function, from, v, [x; 3]))
    }

    /// Integers of one sign as smaller ones of the same, those that do not fit clamped.
    fn clamped(
        &mut self,
        from: Kind,
        to: Kind,
        values: &[Value],
        is_signed: bool,
    ) -> Result<Vec<Value>, LoadError> {
        let op = if is_signed { ConvertOp::Sext } else { ConvertOp::Zext };
        if to.size() >= from.size() {
            return self.resize(values, from, to, op);
        }
        let (least, most) = if is_signed { (!max_signed(to), max_signed(to)) } else { (0, max_unsigned(to)) };
        let (least, most) = (self.constant(from, least & max_unsigned(from)), self.constant(from, most));
        let (low, high) = if is_signed { (IntOp::SMax, IntOp::SMin) } else { (IntOp::UMax, IntOp::UMin) };
        let values = self.unary(from, values, |v, x| Inst::Int(low, from, v, [x, least]))?;
        let values = self.unary(from, &values, |v, x| Inst::Int(high, from, v, [x, most]))?;
        self.resize(&values, from, to, op)
    }

    /// Signed to unsigned and back, with values that do not fit clamped.
    pub(super) fn saturating_convert(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (from, values) = self.integers(inst, 0)?;
        let (to, _) = self.result_components(inst)?;
        if to.is_float() || to == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("the result of the conversion")));
        }
        let to_unsigned = inst.op == Op::SatConvertSToU;
        let source_max = if to_unsigned { max_signed(from) } else { max_unsigned(from) };
        let target_max = if to_unsigned { max_unsigned(to) } else { max_signed(to) };
        let (low, high) = if to_unsigned { (IntOp::SMax, IntOp::SMin) } else { (IntOp::UMax, IntOp::UMin) };
        let zero = self.constant(from, 0);
        let limit = self.constant(from, source_max.min(target_max));
        let mut converted = Vec::with_capacity(values.len());
        for x in values {
            let x = self.emit(from, |v| Inst::Int(low, from, v, [x, zero]))?;
            let x = self.emit(from, |v| Inst::Int(high, from, v, [x, limit]))?;
            converted.extend(self.resize(&[x], from, to, ConvertOp::Zext)?);
        }
        self.define(inst, converted)
    }

    /// OpBitcast.
    pub(super) fn bitcast(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, operand) = self.operand(inst, 0)?;
        let Operand::Values(values) = operand else {
            // Such a pointer is only ever used to mark a lifetime.
            self.alias(inst, inst.result_type, operand);
            return Ok(());
        };
        let (from, _) = self.module.types.components(ty).map_err(|error| inst.error(error.problem))?;
        let (to, count) = self.result_components(inst)?;
        if from == Kind::Bool || to == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("a boolean has no bit pattern")));
        }
        if from.size() as usize * values.len() != to.size() as usize * count {
            return Err(inst.error(Problem::TypeMismatch("the sizes of the two types")));
        }
        let parts = self.repack(&values, from.as_integer(), to.as_integer())?;
        self.define(inst, parts)
    }

    /// The same bytes as scalars of another size.
    pub(super) fn repack(&mut self, values: &[Value], from: Kind, to: Kind) -> Result<Vec<Value>, LoadError> {
        match from.size().cmp(&to.size()) {
            std::cmp::Ordering::Equal => Ok(values.to_vec()),
            std::cmp::Ordering::Less => {
                let ratio = (to.size() / from.size()) as usize;
                values.chunks(ratio).map(|parts| self.join(parts, from, to)).collect()
            }
            std::cmp::Ordering::Greater => {
                let mut result = Vec::new();
                for &value in values {
                    for part in 0..from.size() / to.size() {
                        result.push(self.part(value, from, to, part)?);
                    }
                }
                Ok(result)
            }
        }
    }

    /// One large integer from small ones, the lowest first.
    fn join(&mut self, parts: &[Value], from: Kind, to: Kind) -> Result<Value, LoadError> {
        let mut joined = self.constant(to, 0);
        for (index, &part) in parts.iter().enumerate() {
            let wide = self.emit(to, |v| Inst::Convert(ConvertOp::Zext, from, to, v, part))?;
            let count = self.constant(to, u64::from(from.size()) * 8 * index as u64);
            let shifted = self.emit(to, |v| Inst::Int(IntOp::Shl, to, v, [wide, count]))?;
            joined = self.emit(to, |v| Inst::Int(IntOp::Or, to, v, [joined, shifted]))?;
        }
        Ok(joined)
    }

    /// One small integer out of a large one; part 0 is the lowest.
    fn part(&mut self, value: Value, from: Kind, to: Kind, part: u32) -> Result<Value, LoadError> {
        let count = self.constant(from, u64::from(part * to.size() * 8));
        let shifted = self.emit(from, |v| Inst::Int(IntOp::LShr, from, v, [value, count]))?;
        self.emit(to, |v| Inst::Convert(ConvertOp::Zext, from, to, v, shifted))
    }
}

pub(super) fn max_unsigned(kind: Kind) -> u64 {
    u64::MAX >> (64 - 8 * kind.size())
}

fn max_signed(kind: Kind) -> u64 {
    max_unsigned(kind) >> 1
}
