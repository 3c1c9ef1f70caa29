//! The extended instruction set OpenCL.std: functions of numbers.
//!
//! The `native_` and `half_` functions are the exact ones, which their specification allows.

use super::Lowering;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{CompareOp, ConvertOp, FloatOp, Inst, IntOp, IntUnary, Kind, MathOp, Value};
use spirv::OpenclStd100Op as Std;

/// How many operands of an OpExtInst come before those of the function.
pub(super) const FIRST: usize = 2;

/// A function of as many floats as its number says.
fn math(function: Std) -> Option<(usize, MathOp)> {
    let (one, two, three) = (1, 2, 3);
    Some(match function {
        Std::acos => (one, MathOp::Acos),
        Std::acosh => (one, MathOp::Acosh),
        Std::acospi => (one, MathOp::Acospi),
        Std::asin => (one, MathOp::Asin),
        Std::asinh => (one, MathOp::Asinh),
        Std::asinpi => (one, MathOp::Asinpi),
        Std::atan => (one, MathOp::Atan),
        Std::atanh => (one, MathOp::Atanh),
        Std::atanpi => (one, MathOp::Atanpi),
        Std::cbrt => (one, MathOp::Cbrt),
        Std::ceil => (one, MathOp::Ceil),
        Std::cos | Std::half_cos | Std::native_cos => (one, MathOp::Cos),
        Std::cosh => (one, MathOp::Cosh),
        Std::cospi => (one, MathOp::Cospi),
        Std::degrees => (one, MathOp::Degrees),
        Std::erf => (one, MathOp::Erf),
        Std::erfc => (one, MathOp::Erfc),
        Std::exp | Std::half_exp | Std::native_exp => (one, MathOp::Exp),
        Std::exp2 | Std::half_exp2 | Std::native_exp2 => (one, MathOp::Exp2),
        Std::exp10 | Std::half_exp10 | Std::native_exp10 => (one, MathOp::Exp10),
        Std::expm1 => (one, MathOp::Expm1),
        Std::fabs => (one, MathOp::Abs),
        Std::floor => (one, MathOp::Floor),
        Std::lgamma => (one, MathOp::Lgamma),
        Std::log | Std::half_log | Std::native_log => (one, MathOp::Log),
        Std::log2 | Std::half_log2 | Std::native_log2 => (one, MathOp::Log2),
        Std::log10 | Std::half_log10 | Std::native_log10 => (one, MathOp::Log10),
        Std::log1p => (one, MathOp::Log1p),
        Std::logb => (one, MathOp::Logb),
        Std::radians => (one, MathOp::Radians),
        Std::half_recip | Std::native_recip => (one, MathOp::Recip),
        Std::rint => (one, MathOp::Rint),
        Std::round => (one, MathOp::Round),
        Std::rsqrt | Std::half_rsqrt | Std::native_rsqrt => (one, MathOp::Rsqrt),
        Std::sign => (one, MathOp::Sign),
        Std::sin | Std::half_sin | Std::native_sin => (one, MathOp::Sin),
        Std::sinh => (one, MathOp::Sinh),
        Std::sinpi => (one, MathOp::Sinpi),
        Std::sqrt | Std::half_sqrt | Std::native_sqrt => (one, MathOp::Sqrt),
        Std::tan | Std::half_tan | Std::native_tan => (one, MathOp::Tan),
        Std::tanh => (one, MathOp::Tanh),
        Std::tanpi => (one, MathOp::Tanpi),
        Std::tgamma => (one, MathOp::Tgamma),
        Std::trunc => (one, MathOp::Trunc),
        Std::atan2 => (two, MathOp::Atan2),
        Std::atan2pi => (two, MathOp::Atan2pi),
        Std::copysign => (two, MathOp::Copysign),
        Std::fdim => (two, MathOp::Fdim),
        Std::fmax | Std::fmax_common => (two, MathOp::Fmax),
        Std::fmin | Std::fmin_common => (two, MathOp::Fmin),
        Std::hypot => (two, MathOp::Hypot),
        Std::maxmag => (two, MathOp::Maxmag),
        Std::minmag => (two, MathOp::Minmag),
        Std::nextafter => (two, MathOp::Nextafter),
        Std::pow => (two, MathOp::Pow),
        Std::powr | Std::half_powr | Std::native_powr => (two, MathOp::Powr),
        Std::remainder => (two, MathOp::Remainder),
        Std::step => (two, MathOp::Step),
        Std::fclamp => (three, MathOp::Clamp),
        // `mad` may be rounded once or twice; once is one instruction.
        Std::fma | Std::mad => (three, MathOp::Fma),
        Std::mix => (three, MathOp::Mix),
        Std::smoothstep => (three, MathOp::Smoothstep),
        _ => return None,
    })
}

/// A function of two integers that is one instruction.
fn integer(function: Std) -> Option<IntOp> {
    Some(match function {
        Std::s_abs_diff => IntOp::SAbsDiff,
        Std::u_abs_diff => IntOp::UAbsDiff,
        Std::s_add_sat => IntOp::SAddSat,
        Std::u_add_sat => IntOp::UAddSat,
        Std::s_sub_sat => IntOp::SSubSat,
        Std::u_sub_sat => IntOp::USubSat,
        Std::s_hadd => IntOp::SAverage,
        Std::u_hadd => IntOp::UAverage,
        Std::s_rhadd => IntOp::SRoundedAverage,
        Std::u_rhadd => IntOp::URoundedAverage,
        Std::s_max => IntOp::SMax,
        Std::u_max => IntOp::UMax,
        Std::s_min => IntOp::SMin,
        Std::u_min => IntOp::UMin,
        Std::s_mul_hi => IntOp::SMulHigh,
        Std::u_mul_hi => IntOp::UMulHigh,
        Std::rotate => IntOp::Rotate,
        Std::s_mul24 | Std::u_mul24 => IntOp::Mul,
        _ => return None,
    })
}

impl<'w> Lowering<'_, 'w> {
    /// OpExtInst.
    pub(super) fn extended(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        if !self.module.opencl.contains(&inst.operand(0)?) {
            // The only other sets that loading lets pass have no effect.
            return Ok(());
        }
        let number = inst.operand(1)?;
        let function = Std::from_u32(number).ok_or_else(|| {
            inst.error(Problem::UnknownEnumerant { what: "OpenCL.std instruction", value: number })
        })?;
        if let Some((arity, op)) = math(function) {
            return self.float_function(inst, arity, op);
        }
        if let Some(op) = integer(function) {
            let (kind, a, b) = self.two_integers(inst)?;
            let values = self.binary(inst, kind, &a, &b, |v, ab| Inst::Int(op, kind, v, ab))?;
            return self.define(inst, values);
        }
        self.special(inst, function)
    }

    fn special(&mut self, inst: &Instruction<'w>, function: Std) -> Result<(), LoadError> {
        match function {
            Std::half_divide | Std::native_divide => self.float_operator(inst, FloatOp::Div),
            Std::fmod => self.float_operator(inst, FloatOp::Rem),
            Std::ldexp => self.float_and_integer(inst, Inst::Ldexp),
            Std::pown => self.float_and_integer(inst, Inst::Pown),
            Std::rootn => self.float_and_integer(inst, Inst::Rootn),
            Std::ilogb => {
                let (kind, a) = self.floats(inst, FIRST)?;
                let exponent = |result, x| Inst::Exponent { kind, result, x, ilogb: true };
                let values = self.unary(Kind::I32, &a, exponent)?;
                self.define(inst, values)
            }
            Std::nan => self.nan(inst),
            Std::s_abs => self.integer_unary(inst, IntUnary::SAbs),
            Std::u_abs => self.copy_integers(inst),
            Std::clz => self.integer_unary(inst, IntUnary::LeadingZeros),
            Std::ctz => self.integer_unary(inst, IntUnary::TrailingZeros),
            Std::popcount => self.integer_unary(inst, IntUnary::CountOnes),
            Std::s_clamp => self.integer_chain(inst, IntOp::SMax, IntOp::SMin),
            Std::u_clamp => self.integer_chain(inst, IntOp::UMax, IntOp::UMin),
            Std::s_mad_hi => self.integer_chain(inst, IntOp::SMulHigh, IntOp::Add),
            Std::u_mad_hi => self.integer_chain(inst, IntOp::UMulHigh, IntOp::Add),
            Std::s_mad24 | Std::u_mad24 => self.integer_chain(inst, IntOp::Mul, IntOp::Add),
            Std::s_mad_sat => self.saturating_mad(inst, true),
            Std::u_mad_sat => self.saturating_mad(inst, false),
            Std::s_upsample | Std::u_upsample => self.upsample(inst),
            Std::shuffle => self.shuffle_by_mask(inst, 1),
            Std::shuffle2 => self.shuffle_by_mask(inst, 2),
            Std::bitselect => self.bitselect(inst),
            Std::select => self.select_function(inst),
            Std::cross => self.cross(inst),
            Std::length | Std::fast_length => {
                let length = self.length(inst)?;
                self.define(inst, vec![length])
            }
            Std::distance | Std::fast_distance => self.distance(inst),
            Std::normalize | Std::fast_normalize => self.normalize(inst),
            _ => self.memory_function(inst, function),
        }
    }

    /// OpFmaKHR, whose operands stand where a function of the same name has its set and its number.
    pub(super) fn fused(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let operands = [&[0, 0], inst.operands].concat();
        self.float_function(&Instruction { operands: &operands, ..*inst }, 3, MathOp::Fma)
    }

    /// A function of `arity` floats, component by component.
    fn float_function(&mut self, inst: &Instruction<'_>, arity: usize, op: MathOp) -> Result<(), LoadError> {
        match op {
            MathOp::Fma if self.is_half(inst, FIRST)? => return self.fused_halves(inst),
            MathOp::Nextafter if self.is_half(inst, FIRST)? => return self.next_half(inst),
            _ => {}
        }
        let (kind, count) = self.result_components(inst)?;
        let kind = if kind == Kind::F16 { Kind::F32 } else { kind };
        let mut operands = Vec::with_capacity(arity);
        for index in 0..arity {
            let (own, values) = self.floats(inst, FIRST + index)?;
            self.same_kind(inst, own, kind)?;
            if values.len() != count {
                return Err(inst.error(Problem::TypeMismatch("the number of components")));
            }
            operands.push(values);
        }
        let compute = |component| {
            // The last operand repeats where the function takes fewer than three.
            let operand = |index: usize| operands[index.min(arity - 1)][component];
            let abc = [operand(0), operand(1), operand(2)];
            self.emit(kind, |v| Inst::Math(op, kind, v, abc))
        };
        let values = (0..count).map(compute).collect::<Result<_, _>>()?;
        self.define(inst, values)
    }

    fn float_operator(&mut self, inst: &Instruction<'_>, op: FloatOp) -> Result<(), LoadError> {
        let ((kind, a), b) = (self.floats(inst, FIRST)?, self.floats(inst, FIRST + 1)?);
        self.same_kind(inst, kind, b.0)?;
        let values = self.binary(inst, kind, &a, &b.1, |v, ab| Inst::Float(op, kind, v, ab))?;
        self.define(inst, values)
    }

    fn float_and_integer(
        &mut self,
        inst: &Instruction<'_>,
        make: impl Fn(Kind, Value, [Value; 2]) -> Inst,
    ) -> Result<(), LoadError> {
        let ((kind, a), b) = (self.floats(inst, FIRST)?, self.integers(inst, FIRST + 1)?);
        self.same_kind(inst, Kind::I32, b.0)?;
        let values = self.binary(inst, kind, &a, &b.1, |v, ab| make(kind, v, ab))?;
        self.define(inst, values)
    }

    /// A NaN that carries its operand.
    fn nan(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, codes) = self.integers(inst, FIRST)?;
        let quiet = match kind {
            Kind::I64 => 0x7ff8 << 48,
            Kind::I16 => 0x7e00,
            _ => 0x7fc0_0000,
        };
        let quiet = self.constant(kind, quiet);
        let values = self.unary(kind, &codes, |v, x| Inst::Int(IntOp::Or, kind, v, [x, quiet]))?;
        self.define(inst, values)
    }

    pub(super) fn two_integers(
        &mut self,
        inst: &Instruction<'_>,
    ) -> Result<(Kind, Vec<Value>, Vec<Value>), LoadError> {
        let ((kind, a), b) = (self.integers(inst, FIRST)?, self.integers(inst, FIRST + 1)?);
        self.same_kind(inst, kind, b.0)?;
        Ok((kind, a, b.1))
    }

    fn integer_unary(&mut self, inst: &Instruction<'_>, op: IntUnary) -> Result<(), LoadError> {
        let (kind, a) = self.integers(inst, FIRST)?;
        let values = self.unary(kind, &a, |v, x| Inst::IntUnary(op, kind, v, x))?;
        self.define(inst, values)
    }

    fn copy_integers(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (_, a) = self.integers(inst, FIRST)?;
        self.define(inst, a)
    }

    /// `(a first b) second c`.
    fn integer_chain(
        &mut self,
        inst: &Instruction<'_>,
        first: IntOp,
        second: IntOp,
    ) -> Result<(), LoadError> {
        let (kind, a, b) = self.two_integers(inst)?;
        let c = self.integers(inst, FIRST + 2)?;
        self.same_kind(inst, kind, c.0)?;
        let ab = self.binary(inst, kind, &a, &b, |v, ab| Inst::Int(first, kind, v, ab))?;
        let values = self.binary(inst, kind, &ab, &c.1, |v, ab| Inst::Int(second, kind, v, ab))?;
        self.define(inst, values)
    }

    /// `high << width | low`, of twice the width.
    fn upsample(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (from, high, low) = self.two_integers(inst)?;
        let (to, _) = self.result_components(inst)?;
        if to.is_float() || to.size() != 2 * from.size() {
            return Err(inst.error(Problem::TypeMismatch("the result has twice the width")));
        }
        let high = self.resize(&high, from, to, ConvertOp::Zext)?;
        let low = self.resize(&low, from, to, ConvertOp::Zext)?;
        let width = vec![self.constant(to, u64::from(from.size() * 8)); high.len()];
        let high = self.binary(inst, to, &high, &width, |v, ab| Inst::Int(IntOp::Shl, to, v, ab))?;
        let values = self.binary(inst, to, &high, &low, |v, ab| Inst::Int(IntOp::Or, to, v, ab))?;
        self.define(inst, values)
    }

    /// The bits of `b` where `c` has ones, else those of `a`.
    fn bitselect(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (a, b, c) = (
            self.components(inst, FIRST)?,
            self.components(inst, FIRST + 1)?,
            self.components(inst, FIRST + 2)?,
        );
        self.same_kind(inst, a.0, b.0)?;
        self.same_kind(inst, a.0, c.0)?;
        if a.0 == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("numbers are needed")));
        }
        let kind = a.0.as_integer();
        // a ^ ((a ^ b) & c)
        let differ = self.binary(inst, kind, &a.1, &b.1, |v, ab| Inst::Int(IntOp::Xor, kind, v, ab))?;
        let taken = self.binary(inst, kind, &differ, &c.1, |v, ab| Inst::Int(IntOp::And, kind, v, ab))?;
        let values = self.binary(inst, kind, &a.1, &taken, |v, ab| Inst::Int(IntOp::Xor, kind, v, ab))?;
        self.define(inst, values)
    }

    /// `c ? b : a`, where a scalar `c` is true if it is not zero and a component of a vector if its highest bit is set.
    fn select_function(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((_, a), (_, b)) = (self.components(inst, FIRST)?, self.components(inst, FIRST + 1)?);
        let (kind, c) = self.integers(inst, FIRST + 2)?;
        if a.len() != b.len() || a.len() != c.len() {
            return Err(inst.error(Problem::TypeMismatch("the number of components")));
        }
        let test = if c.len() == 1 { CompareOp::Ne } else { CompareOp::SLt };
        let zero = self.constant(kind, 0);
        let mut values = Vec::with_capacity(a.len());
        for (index, &x) in c.iter().enumerate() {
            let condition = self.emit(Kind::Bool, |v| Inst::Compare(test, kind, v, [x, zero]))?;
            values.push(self.select_one(inst, condition, b[index], a[index])?);
        }
        self.define(inst, values)
    }

    fn cross(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((kind, a), (_, b)) = (self.floats(inst, FIRST)?, self.floats(inst, FIRST + 1)?);
        if a.len() < 3 || a.len() != b.len() {
            return Err(inst.error(Problem::TypeMismatch("vectors of three or four components are needed")));
        }
        let turn = |v: &[Value], by: usize| [v[by % 3], v[(by + 1) % 3], v[(by + 2) % 3]];
        let product = |this: &mut Self, x: &[Value], y: &[Value]| {
            this.binary(inst, kind, x, y, |v, ab| Inst::Float(FloatOp::Mul, kind, v, ab))
        };
        let left = product(self, &turn(&a, 1), &turn(&b, 2))?;
        let right = product(self, &turn(&a, 2), &turn(&b, 1))?;
        let mut values =
            self.binary(inst, kind, &left, &right, |v, ab| Inst::Float(FloatOp::Sub, kind, v, ab))?;
        // The fourth component of the result is zero.
        values.resize(a.len(), self.constant(kind, 0));
        self.define(inst, values)
    }

    fn length(&mut self, inst: &Instruction<'_>) -> Result<Value, LoadError> {
        let (kind, a) = self.floats(inst, FIRST)?;
        self.norm(inst, kind, &a)
    }

    fn norm(&mut self, inst: &Instruction<'_>, kind: Kind, a: &[Value]) -> Result<Value, LoadError> {
        let squares = self.binary(inst, kind, a, a, |v, ab| Inst::Float(FloatOp::Mul, kind, v, ab))?;
        let mut sum = squares[0];
        for &square in &squares[1..] {
            sum = self.emit(kind, |v| Inst::Float(FloatOp::Add, kind, v, [sum, square]))?;
        }
        self.emit(kind, |v| Inst::Math(MathOp::Sqrt, kind, v, [sum; 3]))
    }

    fn distance(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((kind, a), b) = (self.floats(inst, FIRST)?, self.floats(inst, FIRST + 1)?);
        self.same_kind(inst, kind, b.0)?;
        let difference = self.binary(inst, kind, &a, &b.1, |v, ab| Inst::Float(FloatOp::Sub, kind, v, ab))?;
        let length = self.norm(inst, kind, &difference)?;
        self.define(inst, vec![length])
    }

    fn normalize(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, a) = self.floats(inst, FIRST)?;
        let length = self.norm(inst, kind, &a)?;
        let quotient = |v, x| Inst::Float(FloatOp::Div, kind, v, [x, length]);
        let values = self.unary(kind, &a, quotient)?;
        self.define(inst, values)
    }
}
