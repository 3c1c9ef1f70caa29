//! Casts: Rust's `as` between scalars, and the conversions of `bool` at the edge of memory. Of vectors each lane is cast.

use super::code::Code;
use super::types::computed;
use crate::ir::{Math, Numeric};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Decoration, Op, Word};

/// The greatest integer below 2^32 that is a float of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greatest {
    pub(super) number: i128,
    /// The bits of the float.
    bits: u64,
}

impl Greatest {
    /// That of a type which has floats up to there.
    pub(super) fn of(scalar: Scalar) -> Option<Self> {
        let (number, bits) = match scalar {
            Scalar::F32 => (f32::from_bits(0x4f7f_ffff) as i128, 0x4f7f_ffff),
            Scalar::F64 => (i128::from(u32::MAX), f64::from(u32::MAX).to_bits()),
            _ => return None,
        };
        Some(Self { number, bits })
    }
}

impl Code<'_, '_> {
    /// `value as to`.
    pub(super) fn cast(&mut self, value: Word, from: Numeric, to: Scalar) -> Word {
        let (ty, from) = (from.of(to), from.scalar);
        match (from, to) {
            _ if from == to => value,
            (Scalar::Bool, _) => self.cast_bool(value, ty),
            _ if from.is_float() && to.is_float() => self.convert(Op::FConvert, value, ty),
            _ if from.is_float() => self.float_to_integer(value, from, ty),
            _ if to.is_float() && from.is_signed() => self.convert(Op::ConvertSToF, value, ty),
            _ if to.is_float() => self.convert(Op::ConvertUToF, value, ty),
            _ if from.bits() == to.bits() => value,
            // Truncation is the same for both signs.
            _ if from.is_signed() && from.bits() < to.bits() => self.convert(Op::SConvert, value, ty),
            _ => self.convert(Op::UConvert, value, ty),
        }
    }

    /// The same bits as another type of the same size.
    pub(super) fn bitcast(&mut self, value: Word, from: Numeric, to: Scalar) -> Word {
        if computed(from.scalar) == computed(to) {
            value
        } else {
            self.convert(Op::Bitcast, value, from.of(to))
        }
    }

    /// The bytes that stand for as many `bool` in memory.
    pub(super) fn bools_to_bytes(&mut self, value: Word, lanes: u32) -> Word {
        self.cast_bool(value, Numeric { scalar: Scalar::U8, lanes })
    }

    /// The `bool` that as many bytes in memory stand for.
    pub(super) fn bools_from_bytes(&mut self, bytes: Word, lanes: u32) -> Word {
        let ty = Numeric { scalar: Scalar::U8, lanes };
        let (bool, zero) = (self.module.numeric(ty.of(Scalar::Bool)), self.module.splat_constant(ty, 0));
        self.compute(Op::INotEqual, bool, &[bytes, zero])
    }

    fn convert(&mut self, op: Op, value: Word, to: Numeric) -> Word {
        let ty = self.module.numeric(to);
        self.compute(op, ty, &[value])
    }

    fn cast_bool(&mut self, value: Word, to: Numeric) -> Word {
        let ty = self.module.numeric(to);
        let [one, zero] = [1, 0].map(|bits| self.module.splat_constant(to, bits));
        self.compute(Op::Select, ty, &[value, one, zero])
    }

    /// Saturates, and takes NaN to 0. For NaN OpenCL only recommends the 0, so it is chosen here.
    fn float_to_integer(&mut self, value: Word, from: Scalar, to: Numeric) -> Word {
        let op = if to.scalar.is_signed() { Op::ConvertFToS } else { Op::ConvertFToU };
        let converted = self.convert(op, value, to);
        self.module.sections.decorate(converted, Decoration::SaturatedConversion, &[]);
        let ordered = self.binary(BinaryOp::Eq, to.of(from), value, value);
        let (ty, zero) = (self.module.numeric(to), self.module.splat_constant(to, 0));
        self.compute(Op::Select, ty, &[ordered, converted, zero])
    }

    /// A float as a number of 32 bits, which is 0 for NaN and what is negative, and the same for all floats from a greatest one on that has 32 bits. That
    /// takes half as many instructions as saturation.
    pub(super) fn clamped_float_to_word(&mut self, value: Word, from: Scalar, greatest: Greatest) -> Word {
        let (ty, bool) = (self.module.numeric(from.into()), self.module.bool());
        let [zero, greatest] = [0, greatest.bits].map(|bits| self.module.scalar_constant(from, bits));
        let is_positive = self.compute(Op::FOrdGreaterThanEqual, bool, &[value, zero]);
        let positive = self.compute(Op::Select, ty, &[is_positive, value, zero]);
        // A minimum is one instruction, but for what may be NaN it is no answer.
        let clamped = self.math(Math::Fmin, from.into(), &[positive, greatest]);
        self.convert(Op::ConvertFToU, clamped, Scalar::U32.into())
    }
}
