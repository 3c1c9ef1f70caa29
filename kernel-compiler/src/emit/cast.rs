//! Casts: Rust's `as` between scalars, and the conversions of `bool` at the edge of memory.

use super::code::Code;
use super::types::computed;
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Decoration, Op, Word};

impl Code<'_, '_> {
    /// `value as to`.
    pub(super) fn cast(&mut self, value: Word, from: Scalar, to: Scalar) -> Word {
        match (from, to) {
            _ if from == to => value,
            (Scalar::Bool, _) => self.cast_bool(value, to),
            _ if from.is_float() && to.is_float() => self.convert(Op::FConvert, value, to),
            _ if from.is_float() => self.float_to_integer(value, from, to),
            _ if to.is_float() && from.is_signed() => self.convert(Op::ConvertSToF, value, to),
            _ if to.is_float() => self.convert(Op::ConvertUToF, value, to),
            _ if from.bits() == to.bits() => value,
            // Truncation is the same for both signs.
            _ if from.is_signed() && from.bits() < to.bits() => self.convert(Op::SConvert, value, to),
            _ => self.convert(Op::UConvert, value, to),
        }
    }

    /// The same bits as another type of the same size.
    pub(super) fn bitcast(&mut self, value: Word, from: Scalar, to: Scalar) -> Word {
        if computed(from) == computed(to) { value } else { self.convert(Op::Bitcast, value, to) }
    }

    /// The byte that stands for a `bool` in memory.
    pub(super) fn bool_to_byte(&mut self, value: Word) -> Word {
        self.cast_bool(value, Scalar::U8)
    }

    /// The `bool` that a byte in memory stands for.
    pub(super) fn bool_from_byte(&mut self, byte: Word) -> Word {
        let (bool, zero) = (self.module.bool(), self.module.int_constant(8, 0));
        self.compute(Op::INotEqual, bool, &[byte, zero])
    }

    fn convert(&mut self, op: Op, value: Word, to: Scalar) -> Word {
        let ty = self.module.type_id(computed(to));
        self.compute(op, ty, &[value])
    }

    fn cast_bool(&mut self, value: Word, to: Scalar) -> Word {
        let ty = self.module.type_id(computed(to));
        let [one, zero] = [1, 0].map(|bits| self.module.scalar_constant(to, bits));
        self.compute(Op::Select, ty, &[value, one, zero])
    }

    /// Saturates, and takes NaN to 0. For NaN OpenCL only recommends the 0, so it is chosen here.
    fn float_to_integer(&mut self, value: Word, from: Scalar, to: Scalar) -> Word {
        let op = if to.is_signed() { Op::ConvertFToS } else { Op::ConvertFToU };
        let converted = self.convert(op, value, to);
        self.module.sections.decorate(converted, Decoration::SaturatedConversion, &[]);
        let ordered = self.binary(BinaryOp::Eq, from, value, value);
        let (ty, zero) = (self.module.int(to.bits()), self.module.scalar_constant(to, 0));
        self.compute(Op::Select, ty, &[ordered, converted, zero])
    }
}
