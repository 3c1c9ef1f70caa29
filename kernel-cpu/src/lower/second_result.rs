//! The extended instruction set OpenCL.std: functions of floats that store a second result behind a pointer.

use super::Lowering;
use super::opencl::FIRST;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{CompareOp, ConvertOp, FloatOp, Inst, IntOp, IntUnary, Kind, MathOp, Site, Value};
use spirv::OpenclStd100Op as Std;

impl Lowering<'_, '_> {
    /// What [`Self::memory_function`] leaves.
    pub(super) fn function_of_two_results(
        &mut self,
        inst: &Instruction<'_>,
        function: Std,
    ) -> Result<(), LoadError> {
        match function {
            Std::sincos => {
                let cosine = self.math_of_first(inst, MathOp::Cos)?;
                self.store_result(inst, FIRST + 1, &cosine)?;
                let sine = self.math_of_first(inst, MathOp::Sin)?;
                self.define(inst, sine)
            }
            Std::fract => self.fract(inst),
            Std::modf => self.modf(inst),
            Std::frexp => self.frexp(inst),
            Std::remquo => self.remquo(inst),
            Std::lgamma_r => self.lgamma_with_sign(inst),
            _ => Err(inst.error(Problem::Unsupported("this OpenCL.std instruction"))),
        }
    }

    /// `min(x - floor(x), 1 - ulp)`, with the floor stored.
    fn fract(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, x) = self.floats(inst, FIRST)?;
        let floor = self.math_of_first(inst, MathOp::Floor)?;
        self.store_result(inst, FIRST + 1, &floor)?;
        let rest = self.binary(inst, kind, &x, &floor, |v, ab| Inst::Float(FloatOp::Sub, kind, v, ab))?;
        let below_one = match kind {
            Kind::F64 => 0x3fef_ffff_ffff_ffff,
            _ if self.is_half(inst, FIRST)? => 0x3f7f_e000,
            _ => 0x3f7f_ffff,
        };
        let limit = self.constant(kind, below_one);
        let values = self.unary(kind, &rest, |v, x| Inst::Math(MathOp::Fmin, kind, v, [x, limit, limit]))?;
        self.define(inst, values)
    }

    /// The fractional part with the sign of `x`, with the integral part stored.
    fn modf(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, x) = self.floats(inst, FIRST)?;
        let whole = self.math_of_first(inst, MathOp::Trunc)?;
        self.store_result(inst, FIRST + 1, &whole)?;
        let one = self.float_constant(kind, 1.0);
        let rest = self.unary(kind, &x, |v, x| Inst::Float(FloatOp::Rem, kind, v, [x, one]))?;
        // The remainder of an infinity is NaN, but its fractional part is zero.
        let zero = self.constant(kind, 0);
        let mut values = Vec::with_capacity(rest.len());
        for (&x, rest) in x.iter().zip(rest) {
            let test = crate::program::inst::FloatClass::Infinite;
            let infinite = self.emit(Kind::Bool, |result| Inst::Classify { test, kind, result, x })?;
            let rest = self.select_one(inst, infinite, zero, rest)?;
            values.push(self.emit(kind, |v| Inst::Math(MathOp::Copysign, kind, v, [rest, x, x]))?);
        }
        self.define(inst, values)
    }

    /// The mantissa, with the exponent stored.
    fn frexp(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, x) = self.floats(inst, FIRST)?;
        let exponent = |result, x| Inst::Exponent { kind, result, x, ilogb: false };
        let exponents = self.unary(Kind::I32, &x, exponent)?;
        self.store_result(inst, FIRST + 1, &exponents)?;
        let values = self.unary(kind, &x, |v, x| Inst::Mantissa(kind, v, x))?;
        self.define(inst, values)
    }

    /// The remainder of the quotient that is rounded to the nearest integer, of which the lowest bits are stored with the sign of the quotient.
    fn remquo(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((kind, x), (other, y)) = (self.floats(inst, FIRST)?, self.floats(inst, FIRST + 1)?);
        self.same_kind(inst, kind, other)?;
        let float = |op| move |v, ab| Inst::Float(op, kind, v, ab);
        let remainder = |v, [a, b]: [Value; 2]| Inst::Math(MathOp::Remainder, kind, v, [a, b, b]);
        let result = self.binary(inst, kind, &x, &y, remainder)?;
        // With multiples of 128 of the divisor taken away, the quotient is small, and exact once it is rounded.
        let (x_size, y_size) = (self.math_of(kind, MathOp::Abs, &x)?, self.math_of(kind, MathOp::Abs, &y)?);
        let period = vec![self.float_constant(kind, 128.0); y.len()];
        let period = self.binary(inst, kind, &y_size, &period, float(FloatOp::Mul))?;
        let small = self.binary(inst, kind, &x_size, &period, float(FloatOp::Rem))?;
        let rest = self.binary(inst, kind, &small, &y_size, remainder)?;
        let multiple = self.binary(inst, kind, &small, &rest, float(FloatOp::Sub))?;
        let quotient = self.binary(inst, kind, &multiple, &y_size, float(FloatOp::Div))?;
        let quotient = self.math_of(kind, MathOp::Rint, &quotient)?;
        let (mask, zero) = (self.constant(Kind::I32, 127), self.constant(kind, 0));
        let mut quotients = Vec::with_capacity(quotient.len());
        for (index, &quotient) in quotient.iter().enumerate() {
            // Where there is no remainder, the quotient is NaN, which becomes zero.
            let number =
                self.emit(Kind::I32, |v| Inst::Convert(ConvertOp::FToS, kind, Kind::I32, v, quotient))?;
            let number = self.emit(Kind::I32, |v| Inst::Int(IntOp::And, Kind::I32, v, [number, mask]))?;
            let mut signs = [number; 2];
            for (sign, x) in signs.iter_mut().zip([x[index], y[index]]) {
                let compare = |v| Inst::Compare(CompareOp::FOrdLt, kind, v, [x, zero]);
                *sign = self.emit(Kind::Bool, compare)?;
            }
            let differ = self.emit(Kind::Bool, |v| Inst::Int(IntOp::Xor, Kind::Bool, v, signs))?;
            let negative = |v| Inst::IntUnary(IntUnary::Neg, Kind::I32, v, number);
            let negative = self.emit(Kind::I32, negative)?;
            quotients.push(self.select_one(inst, differ, negative, number)?);
        }
        self.store_result(inst, FIRST + 2, &quotients)?;
        self.define(inst, result)
    }

    /// The logarithm of the gamma function's absolute value, with the sign of the function stored, which is negative between
    /// an odd number below zero and the even one above it.
    fn lgamma_with_sign(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, x) = self.floats(inst, FIRST)?;
        let (zero, half) = (self.constant(kind, 0), self.float_constant(kind, 0.5));
        let [plus, minus] = [1, u32::MAX].map(|bits| self.constant(Kind::I32, bits.into()));
        let mut signs = Vec::with_capacity(x.len());
        for &x in &x {
            let compare = |op, a, b| move |v| Inst::Compare(op, kind, v, [a, b]);
            let floor = self.math_of(kind, MathOp::Floor, &[x])?[0];
            let halved = self.emit(kind, |v| Inst::Float(FloatOp::Mul, kind, v, [floor, half]))?;
            let whole = self.math_of(kind, MathOp::Floor, &[halved])?[0];
            let mut negative = self.emit(Kind::Bool, compare(CompareOp::FOrdLt, x, zero))?;
            for (a, b) in [(floor, x), (whole, halved)] {
                let differ = self.emit(Kind::Bool, compare(CompareOp::FOrdNe, a, b))?;
                let both = |v| Inst::Int(IntOp::And, Kind::Bool, v, [negative, differ]);
                negative = self.emit(Kind::Bool, both)?;
            }
            signs.push(self.select_one(inst, negative, minus, plus)?);
        }
        self.store_result(inst, FIRST + 1, &signs)?;
        let values = self.math_of(kind, MathOp::Lgamma, &x)?;
        self.define(inst, values)
    }

    /// A float that is the same in both kinds.
    fn float_constant(&mut self, kind: Kind, number: f32) -> Value {
        let bits = if kind == Kind::F64 { f64::from(number).to_bits() } else { number.to_bits().into() };
        self.constant(kind, bits)
    }

    /// A function of one float, of several.
    fn math_of(&mut self, kind: Kind, op: MathOp, x: &[Value]) -> Result<Vec<Value>, LoadError> {
        self.unary(kind, x, |v, x| Inst::Math(op, kind, v, [x; 3]))
    }

    /// A function of the first operand.
    fn math_of_first(&mut self, inst: &Instruction<'_>, op: MathOp) -> Result<Vec<Value>, LoadError> {
        let (kind, x) = self.floats(inst, FIRST)?;
        self.math_of(kind, op, &x)
    }

    /// Stores a second result through the pointer operand at `index`.
    fn store_result(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
        values: &[Value],
    ) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, _) = self.values(inst, index)?;
        let (_, pointee) = self.module.types.pointer(ty).map_err(located)?;
        let (kind, count) = self.module.types.components(pointee).map_err(located)?;
        let values =
            values.iter().map(|&value| self.round_to_half(kind, value)).collect::<Result<Vec<_>, _>>()?;
        if count != values.len() || kind != self.builder.kind(values[0]) {
            return Err(inst.error(Problem::TypeMismatch("the second result and its pointer")));
        }
        let (address, space) = self.pointer(inst, index, true)?;
        self.store_leaves(pointee, space, address, &values, Site(inst.offset)).map_err(located)
    }
}
