//! Floats of 16 bits of which eight are the exponent (bfloat16): SPV_INTEL_bfloat16_conversion, where they are integers, and SPV_KHR_bfloat16, which has a type for them.
//!
//! They are the first half of a float of 32 bits, in which they are computed with.

use super::Lowering;
use super::rounding::Direction;
use crate::load::grammar::Op;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::inst::FloatClass;
use crate::program::{ConvertOp, FloatOp, Inst, IntOp, Kind, Value};

impl Lowering<'_, '_> {
    /// OpConvertFToBF16INTEL and OpConvertBF16ToFINTEL.
    pub(super) fn convert_bfloat(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, values) = self.components(inst, 0)?;
        let narrows = inst.op == Op::ConvertFToBF16INTEL;
        if kind != if narrows { Kind::F32 } else { Kind::I16 } {
            return Err(inst.error(Problem::TypeMismatch("what is converted has another type")));
        }
        let convert = |x| if narrows { self.rounded_to_bfloat(x) } else { self.bfloat_widened(x) };
        let values = values.into_iter().map(convert).collect::<Result<_, _>>()?;
        self.define(inst, values)
    }

    /// Whether a type is that of such floats, or of vectors or matrices of them.
    pub(super) fn is_bfloat(&self, ty: Id) -> Result<bool, LoadError> {
        let element = match *self.module.types.get(ty)? {
            Type::Vector { element, .. } => element,
            Type::Matrix(matrix) => matrix.element,
            _ => ty,
        };
        Ok(*self.module.types.get(element)? == Type::BFloat)
    }

    /// A conversion from or to such floats, if it is one.
    pub(super) fn bfloat_conversion(
        &mut self,
        inst: &Instruction<'_>,
    ) -> Result<Option<Vec<Value>>, LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, values) = self.values(inst, 0)?;
        let (from, to) =
            (self.is_bfloat(ty).map_err(located)?, self.is_bfloat(inst.result_type).map_err(located)?);
        if inst.op != Op::FConvert || from == to {
            return match from || to {
                true => Err(inst.error(Problem::Unsupported("this conversion of bfloat16"))),
                false => Ok(None),
            };
        }
        let mut converted = Vec::with_capacity(values.len());
        if to {
            let (kind, values) = self.floats(inst, 0)?;
            for x in values {
                let x = if kind == Kind::F64 { self.rounded_to_odd(x)? } else { x };
                converted.push(self.rounded_to_bfloat(x)?);
            }
            return Ok(Some(converted));
        }
        let (kind, _) = self.result_components(inst)?;
        for x in values {
            let x = self.bfloat_widened(x)?;
            converted.push(match kind {
                Kind::F32 => x,
                _ => self.emit(kind, |v| Inst::Convert(ConvertOp::FToF, Kind::F32, kind, v, x))?,
            });
        }
        Ok(Some(converted))
    }

    /// A float of 64 bits as one of 32 whose last bit is set if it is not exact, so that rounding once more is as if there had been one rounding.
    fn rounded_to_odd(&mut self, x: Value) -> Result<Value, LoadError> {
        let (from, to) = (Kind::F64, Kind::F32);
        let down = self.narrowed(x, from, to, Direction::Zero)?;
        let up = self.narrowed(x, from, to, Direction::Up)?;
        let low = self.narrowed(x, from, to, Direction::Down)?;
        let differs = self.integer(IntOp::Xor, up, low)?;
        let (zero, one) = (self.constant(Kind::I32, 0), self.constant(Kind::I32, 1));
        let compare = |v| Inst::Compare(crate::program::CompareOp::Ne, Kind::I32, v, [differs, zero]);
        let is_inexact = self.emit(Kind::Bool, compare)?;
        let odd = self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, is_inexact, [one, zero]))?;
        self.emit(to, |v| Inst::Int(IntOp::Or, Kind::I32, v, [down, odd]))
    }

    /// The nearest one of a float of 32 bits, the even one of two.
    pub(super) fn rounded_to_bfloat(&mut self, x: Value) -> Result<Value, LoadError> {
        let [half, one, below_half, quiet] =
            [16, 1, 0x7fff, 0x40_0000].map(|bits| self.constant(Kind::I32, bits));
        let last = self.integer(IntOp::LShr, x, half)?;
        let is_odd = self.integer(IntOp::And, last, one)?;
        let step = self.integer(IntOp::Add, below_half, is_odd)?;
        let rounded = self.integer(IntOp::Add, x, step)?;
        let nan = self.integer(IntOp::Or, x, quiet)?;
        let test = FloatClass::Nan;
        let is_nan = self.emit(Kind::Bool, |result| Inst::Classify { test, kind: Kind::F32, result, x })?;
        let bits = self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, is_nan, [nan, rounded]))?;
        let bits = self.integer(IntOp::LShr, bits, half)?;
        Ok(self.resize(&[bits], Kind::I32, Kind::I16, ConvertOp::Zext)?[0])
    }

    /// Such a float as one of 32 bits.
    pub(super) fn bfloat_widened(&mut self, x: Value) -> Result<Value, LoadError> {
        let wide = self.resize(&[x], Kind::I16, Kind::I32, ConvertOp::Zext)?[0];
        let half = self.constant(Kind::I32, 16);
        self.emit(Kind::F32, |v| Inst::Int(IntOp::Shl, Kind::I32, v, [wide, half]))
    }

    /// OpDot of such floats: products and sums have 32 bits, and the last one is rounded.
    pub(super) fn bfloat_dot(&mut self, inst: &Instruction<'_>) -> Result<Value, LoadError> {
        let (a, b) = (self.values(inst, 0)?.1, self.values(inst, 1)?.1);
        if a.len() != b.len() {
            return Err(inst.error(Problem::TypeMismatch("the number of components")));
        }
        let float = |op, a, b| move |v| Inst::Float(op, Kind::F32, v, [a, b]);
        let mut sum: Option<Value> = None;
        for (x, y) in a.into_iter().zip(b) {
            let (x, y) = (self.bfloat_widened(x)?, self.bfloat_widened(y)?);
            let product = self.emit(Kind::F32, float(FloatOp::Mul, x, y))?;
            sum = Some(match sum {
                Some(sum) => self.emit(Kind::F32, float(FloatOp::Add, sum, product))?,
                None => product,
            });
        }
        let sum = sum.ok_or_else(|| inst.error(Problem::TypeMismatch("the number of components")))?;
        self.rounded_to_bfloat(sum)
    }
}
