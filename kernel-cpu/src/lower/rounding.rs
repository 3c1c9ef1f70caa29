//! Conversions to floats that round otherwise than to the nearest.
//!
//! What the processor rounds to the nearest is compared with the exact value, and moved by one where it is on the wrong side. Floats of one sign follow each other as their bits do.

use super::Lowering;
use super::convert::max_unsigned;
use crate::load::LoadError;
use crate::program::{CompareOp, ConvertOp, Inst, IntOp, IntUnary, Kind, MathOp, Value};
use spirv::FPRoundingMode;

/// Where a conversion rounds that does not round to the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Zero,
    Up,
    Down,
}

impl Direction {
    /// None for the nearest.
    pub(super) fn of(mode: FPRoundingMode) -> Option<Self> {
        match mode {
            FPRoundingMode::RTE => None,
            FPRoundingMode::RTZ => Some(Self::Zero),
            FPRoundingMode::RTP => Some(Self::Up),
            FPRoundingMode::RTN => Some(Self::Down),
        }
    }
}

impl Lowering<'_, '_> {
    /// A float as one of a smaller kind.
    pub(super) fn narrowed(
        &mut self,
        x: Value,
        from: Kind,
        to: Kind,
        direction: Direction,
    ) -> Result<Value, LoadError> {
        let near = self.emit(to, |v| Inst::Convert(ConvertOp::FToF, from, to, v, x))?;
        let (middle, kind) = match (to, from) {
            // Halves are widened to 32 bits first.
            (Kind::F16, Kind::F64) => {
                let single = |v| Inst::Convert(ConvertOp::FToF, to, Kind::F32, v, near);
                (self.emit(Kind::F32, single)?, Kind::F32)
            }
            _ => (near, to),
        };
        let back = self.emit(from, |v| Inst::Convert(ConvertOp::FToF, kind, from, v, middle))?;
        let (below, above) = match direction {
            Direction::Up => (back, x),
            Direction::Down => (x, back),
            Direction::Zero => {
                let size = |value| move |v| Inst::Math(MathOp::Abs, from, v, [value; 3]);
                (self.emit(from, size(x))?, self.emit(from, size(back))?)
            }
        };
        let is_wrong =
            self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::FOrdLt, from, v, [below, above]))?;
        let bits = to.as_integer();
        let (one, minus_one, zero) =
            (self.constant(bits, 1), self.constant(bits, max_unsigned(bits)), self.constant(bits, 0));
        let is_negative = self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::SLt, bits, v, [near, zero]))?;
        let step = match direction {
            Direction::Zero => minus_one,
            Direction::Up => self.emit(bits, |v| Inst::Select(bits, v, is_negative, [minus_one, one]))?,
            Direction::Down => self.emit(bits, |v| Inst::Select(bits, v, is_negative, [one, minus_one]))?,
        };
        let moved = self.emit(to, |v| Inst::Int(IntOp::Add, bits, v, [near, step]))?;
        self.emit(to, |v| Inst::Select(to, v, is_wrong, [moved, near]))
    }

    /// An integer as a float: its sign and its first digits, and one more at the last of them if it rounds away from zero.
    pub(super) fn integer_to_float(
        &mut self,
        x: Value,
        (from, is_signed): (Kind, bool),
        to: Kind,
        direction: Direction,
    ) -> Result<Value, LoadError> {
        if to == Kind::F16 {
            // Rounding twice in one direction is rounding once.
            let float = self.integer_to_float(x, (from, is_signed), Kind::F32, direction)?;
            return self.narrowed(float, Kind::F32, to, direction);
        }
        let (digits, bits) = if to == Kind::F64 { (53, Kind::I64) } else { (24, Kind::I32) };
        let wide = if is_signed { ConvertOp::Sext } else { ConvertOp::Zext };
        let x = self.resize(&[x], from, Kind::I64, wide)?[0];
        let (zero, one) = (self.constant(Kind::I64, 0), self.constant(Kind::I64, 1));
        let is_negative = match is_signed {
            true => self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::SLt, Kind::I64, v, [x, zero]))?,
            false => self.constant(Kind::Bool, 0),
        };
        let negated = self.long(IntOp::Sub, zero, x)?;
        let size = self.emit(Kind::I64, |v| Inst::Select(Kind::I64, v, is_negative, [negated, x]))?;
        // How many bits are beyond the digits.
        let zeros = self.emit(Kind::I64, |v| Inst::IntUnary(IntUnary::LeadingZeros, Kind::I64, v, size))?;
        let most = self.constant(Kind::I64, 64 - digits);
        let beyond = self.long(IntOp::USubSat, most, zeros)?;
        let unit = self.long(IntOp::Shl, one, beyond)?;
        let mask = self.long(IntOp::Sub, unit, one)?;
        let rest = self.long(IntOp::And, size, mask)?;
        let first = self.long(IntOp::Xor, size, rest)?;
        let float = self.emit(to, |v| Inst::Convert(ConvertOp::UToF, Kind::I64, to, v, first))?;
        let mut result = float;
        let away = match direction {
            Direction::Zero => None,
            Direction::Down => Some(is_negative),
            Direction::Up => {
                let is_positive = |v| Inst::IntUnary(IntUnary::BoolNot, Kind::Bool, v, is_negative);
                Some(self.emit(Kind::Bool, is_positive)?)
            }
        };
        let (none, last) = (self.constant(bits, 0), self.constant(bits, 1));
        if let Some(away) = away {
            let rounds =
                self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Ne, Kind::I64, v, [rest, zero]))?;
            let rounds = self.emit(Kind::Bool, |v| Inst::Int(IntOp::And, Kind::Bool, v, [rounds, away]))?;
            let step = self.emit(bits, |v| Inst::Select(bits, v, rounds, [last, none]))?;
            result = self.emit(to, |v| Inst::Int(IntOp::Add, bits, v, [result, step]))?;
        }
        let sign = self.constant(bits, 1 << (8 * bits.size() - 1));
        let sign = self.emit(bits, |v| Inst::Select(bits, v, is_negative, [sign, none]))?;
        self.emit(to, |v| Inst::Int(IntOp::Or, bits, v, [result, sign]))
    }
}
