//! Arithmetic, logic and comparison, component by component.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::inst::FloatClass;
use crate::program::{CompareOp, ConvertOp, FloatOp, Inst, IntOp, IntUnary, Kind, MathOp, Value};

/// What an instruction does to each component.
enum Action {
    Int(IntOp),
    Shift(IntOp),
    IntUnary(IntUnary),
    Float(FloatOp),
    FloatUnary(MathOp),
    /// On booleans.
    Logic(IntOp),
    /// On integers; swapped if the flag is set.
    CompareInt(CompareOp, bool),
    /// On floats; swapped if the flag is set.
    CompareFloat(CompareOp, bool),
    CompareBool(CompareOp),
    LogicalNot,
    Classify(FloatClass),
}

fn action(op: Op) -> Option<Action> {
    Some(match op {
        Op::IAdd => Action::Int(IntOp::Add),
        Op::ISub => Action::Int(IntOp::Sub),
        Op::IMul => Action::Int(IntOp::Mul),
        Op::UDiv => Action::Int(IntOp::UDiv),
        Op::SDiv => Action::Int(IntOp::SDiv),
        Op::UMod => Action::Int(IntOp::URem),
        Op::SRem => Action::Int(IntOp::SRem),
        Op::SMod => Action::Int(IntOp::SMod),
        Op::BitwiseAnd => Action::Int(IntOp::And),
        Op::BitwiseOr => Action::Int(IntOp::Or),
        Op::BitwiseXor => Action::Int(IntOp::Xor),
        Op::ShiftLeftLogical => Action::Shift(IntOp::Shl),
        Op::ShiftRightLogical => Action::Shift(IntOp::LShr),
        Op::ShiftRightArithmetic => Action::Shift(IntOp::AShr),
        Op::SNegate => Action::IntUnary(IntUnary::Neg),
        Op::Not => Action::IntUnary(IntUnary::Not),
        Op::BitCount => Action::IntUnary(IntUnary::CountOnes),
        Op::BitReverse => Action::IntUnary(IntUnary::ReverseBits),
        Op::FAdd => Action::Float(FloatOp::Add),
        Op::FSub => Action::Float(FloatOp::Sub),
        Op::FMul => Action::Float(FloatOp::Mul),
        Op::FDiv => Action::Float(FloatOp::Div),
        Op::FRem => Action::Float(FloatOp::Rem),
        Op::FMod => Action::Float(FloatOp::Mod),
        Op::FNegate => Action::FloatUnary(MathOp::Neg),
        Op::LogicalAnd => Action::Logic(IntOp::And),
        Op::LogicalOr => Action::Logic(IntOp::Or),
        Op::LogicalNotEqual => Action::Logic(IntOp::Xor),
        Op::LogicalEqual => Action::CompareBool(CompareOp::Eq),
        Op::LogicalNot => Action::LogicalNot,
        Op::IEqual => Action::CompareInt(CompareOp::Eq, false),
        Op::INotEqual => Action::CompareInt(CompareOp::Ne, false),
        Op::ULessThan => Action::CompareInt(CompareOp::ULt, false),
        Op::ULessThanEqual => Action::CompareInt(CompareOp::ULe, false),
        Op::UGreaterThan => Action::CompareInt(CompareOp::ULt, true),
        Op::UGreaterThanEqual => Action::CompareInt(CompareOp::ULe, true),
        Op::SLessThan => Action::CompareInt(CompareOp::SLt, false),
        Op::SLessThanEqual => Action::CompareInt(CompareOp::SLe, false),
        Op::SGreaterThan => Action::CompareInt(CompareOp::SLt, true),
        Op::SGreaterThanEqual => Action::CompareInt(CompareOp::SLe, true),
        Op::FOrdEqual => Action::CompareFloat(CompareOp::FOrdEq, false),
        Op::FUnordEqual => Action::CompareFloat(CompareOp::FUnordEq, false),
        Op::FOrdNotEqual | Op::LessOrGreater => Action::CompareFloat(CompareOp::FOrdNe, false),
        Op::FUnordNotEqual => Action::CompareFloat(CompareOp::FUnordNe, false),
        Op::FOrdLessThan => Action::CompareFloat(CompareOp::FOrdLt, false),
        Op::FOrdLessThanEqual => Action::CompareFloat(CompareOp::FOrdLe, false),
        Op::FOrdGreaterThan => Action::CompareFloat(CompareOp::FOrdLt, true),
        Op::FOrdGreaterThanEqual => Action::CompareFloat(CompareOp::FOrdLe, true),
        Op::FUnordLessThan => Action::CompareFloat(CompareOp::FUnordLt, false),
        Op::FUnordLessThanEqual => Action::CompareFloat(CompareOp::FUnordLe, false),
        Op::FUnordGreaterThan => Action::CompareFloat(CompareOp::FUnordLt, true),
        Op::FUnordGreaterThanEqual => Action::CompareFloat(CompareOp::FUnordLe, true),
        Op::Ordered => Action::CompareFloat(CompareOp::Ordered, false),
        Op::Unordered => Action::CompareFloat(CompareOp::Unordered, false),
        Op::IsNan => Action::Classify(FloatClass::Nan),
        Op::IsInf => Action::Classify(FloatClass::Infinite),
        Op::IsFinite => Action::Classify(FloatClass::Finite),
        Op::IsNormal => Action::Classify(FloatClass::Normal),
        Op::SignBitSet => Action::Classify(FloatClass::Negative),
        _ => return None,
    })
}

impl Lowering<'_, '_> {
    /// An instruction that does the same to every component.
    pub(super) fn arithmetic(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let values = match action(inst.op).ok_or_else(|| self.unsupported(inst))? {
            Action::Int(op) => {
                let ((kind, a), b) = (self.integers(inst, 0)?, self.integers(inst, 1)?);
                self.same_kind(inst, kind, b.0)?;
                self.binary(inst, kind, &a, &b.1, |v, ab| Inst::Int(op, kind, v, ab))?
            }
            Action::Shift(op) => {
                let ((kind, a), (count_kind, counts)) = (self.integers(inst, 0)?, self.integers(inst, 1)?);
                let counts = self.resize(&counts, count_kind, kind, ConvertOp::Zext)?;
                self.binary(inst, kind, &a, &counts, |v, ab| Inst::Int(op, kind, v, ab))?
            }
            Action::IntUnary(op) => {
                let (kind, a) = self.integers(inst, 0)?;
                self.unary(kind, &a, |v, x| Inst::IntUnary(op, kind, v, x))?
            }
            Action::Float(op) => {
                let ((kind, a), b) = (self.floats(inst, 0)?, self.floats(inst, 1)?);
                self.same_kind(inst, kind, b.0)?;
                self.binary(inst, kind, &a, &b.1, |v, ab| Inst::Float(op, kind, v, ab))?
            }
            Action::FloatUnary(op) => {
                let (kind, a) = self.floats(inst, 0)?;
                self.unary(kind, &a, |v, x| Inst::Math(op, kind, v, [x; 3]))?
            }
            Action::Logic(op) => {
                let (a, b) = (self.booleans(inst, 0)?, self.booleans(inst, 1)?);
                self.binary(inst, Kind::Bool, &a, &b, |v, ab| Inst::Int(op, Kind::Bool, v, ab))?
            }
            Action::CompareInt(op, swap) => {
                let ((kind, a), b) = (self.integers(inst, 0)?, self.integers(inst, 1)?);
                self.same_kind(inst, kind, b.0)?;
                self.compare(inst, op, kind, swap, &a, &b.1)?
            }
            Action::CompareFloat(op, swap) => {
                let ((kind, a), b) = (self.floats(inst, 0)?, self.floats(inst, 1)?);
                self.same_kind(inst, kind, b.0)?;
                self.compare(inst, op, kind, swap, &a, &b.1)?
            }
            Action::CompareBool(op) => {
                let (a, b) = (self.booleans(inst, 0)?, self.booleans(inst, 1)?);
                self.compare(inst, op, Kind::Bool, false, &a, &b)?
            }
            Action::LogicalNot => {
                let a = self.booleans(inst, 0)?;
                self.unary(Kind::Bool, &a, |v, x| Inst::IntUnary(IntUnary::BoolNot, Kind::Bool, v, x))?
            }
            Action::Classify(FloatClass::Normal) if self.is_half(inst, 0)? => {
                return self.is_normal_half(inst);
            }
            Action::Classify(test) => {
                let (kind, a) = self.floats(inst, 0)?;
                self.unary(Kind::Bool, &a, |result, x| Inst::Classify { test, kind, result, x })?
            }
        };
        self.define(inst, values)
    }

    pub(super) fn same_kind(&self, inst: &Instruction<'_>, a: Kind, b: Kind) -> Result<(), LoadError> {
        if a == b { Ok(()) } else { Err(inst.error(Problem::TypeMismatch("the operands"))) }
    }

    /// One instruction per component of one operand; the results are of `kind`.
    pub(super) fn unary(
        &mut self,
        kind: Kind,
        a: &[Value],
        make: impl Fn(Value, Value) -> Inst,
    ) -> Result<Vec<Value>, LoadError> {
        self.each_component(kind, a.len(), &|v, component| make(v, a[component]))
    }

    /// One instruction per component; the results are of `kind`.
    fn each_component(
        &mut self,
        kind: Kind,
        count: usize,
        make: &dyn Fn(Value, usize) -> Inst,
    ) -> Result<Vec<Value>, LoadError> {
        (0..count).map(|component| self.emit(kind, |v| make(v, component))).collect()
    }

    /// One instruction per component of two operands; the results are of `kind`.
    pub(super) fn binary(
        &mut self,
        inst: &Instruction<'_>,
        kind: Kind,
        a: &[Value],
        b: &[Value],
        make: impl Fn(Value, [Value; 2]) -> Inst,
    ) -> Result<Vec<Value>, LoadError> {
        if a.len() != b.len() {
            return Err(inst.error(Problem::TypeMismatch("the number of components")));
        }
        self.each_component(kind, a.len(), &|v, component| make(v, [a[component], b[component]]))
    }

    fn compare(
        &mut self,
        inst: &Instruction<'_>,
        op: CompareOp,
        kind: Kind,
        swap: bool,
        a: &[Value],
        b: &[Value],
    ) -> Result<Vec<Value>, LoadError> {
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.binary(inst, Kind::Bool, a, b, |v, ab| Inst::Compare(op, kind, v, ab))
    }

    /// OpSelect.
    pub(super) fn select(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let conditions = self.booleans(inst, 0)?;
        let ((_, a), (_, b)) = (self.values(inst, 1)?, self.values(inst, 2)?);
        if a.len() != b.len() || !(conditions.len() == 1 || conditions.len() == a.len()) {
            return Err(inst.error(Problem::TypeMismatch("the number of components")));
        }
        let mut values = Vec::with_capacity(a.len());
        for (index, (&x, &y)) in a.iter().zip(&b).enumerate() {
            let condition = conditions[index % conditions.len()];
            values.push(self.select_one(inst, condition, x, y)?);
        }
        self.define(inst, values)
    }

    /// `condition ? a : b` for scalars of one size.
    pub(super) fn select_one(
        &mut self,
        inst: &Instruction<'_>,
        condition: Value,
        a: Value,
        b: Value,
    ) -> Result<Value, LoadError> {
        let kind = self.builder.kind(a);
        if kind.size() != self.builder.kind(b).size() {
            return Err(inst.error(Problem::TypeMismatch("the operands")));
        }
        self.emit(kind, |v| Inst::Select(kind, v, condition, [a, b]))
    }

    /// OpVectorTimesScalar.
    pub(super) fn vector_times_scalar(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((kind, a), (scalar_kind, scalar)) = (self.floats(inst, 0)?, self.floats(inst, 1)?);
        self.same_kind(inst, kind, scalar_kind)?;
        let scalars = vec![scalar[0]; a.len()];
        let values = self.binary(inst, kind, &a, &scalars, |v, ab| Inst::Float(FloatOp::Mul, kind, v, ab))?;
        self.define(inst, values)
    }

    /// OpDot.
    pub(super) fn dot(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let is_bfloat = self.is_bfloat(inst.result_type).map_err(|error| inst.error(error.problem))?;
        let sum = if is_bfloat { self.bfloat_dot(inst)? } else { self.dot_product(inst, 0)? };
        self.define(inst, vec![sum])
    }

    /// The sum of the products of the components of two consecutive operands.
    pub(super) fn dot_product(&mut self, inst: &Instruction<'_>, first: usize) -> Result<Value, LoadError> {
        let ((kind, a), b) = (self.floats(inst, first)?, self.floats(inst, first + 1)?);
        self.same_kind(inst, kind, b.0)?;
        let products = self.binary(inst, kind, &a, &b.1, |v, ab| Inst::Float(FloatOp::Mul, kind, v, ab))?;
        let mut sum = products[0];
        for &product in &products[1..] {
            sum = self.emit(kind, |v| Inst::Float(FloatOp::Add, kind, v, [sum, product]))?;
        }
        Ok(sum)
    }

    /// The instructions whose result is a struct of two integers: the low part, then carry, borrow or high
    /// part.
    pub(super) fn extended_integer(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (low, high) = match inst.op {
            Op::IAddCarry => (IntOp::Add, IntOp::UCarry),
            Op::ISubBorrow => (IntOp::Sub, IntOp::UBorrow),
            Op::UMulExtended => (IntOp::Mul, IntOp::UMulHigh),
            _ => (IntOp::Mul, IntOp::SMulHigh),
        };
        let ((kind, a), b) = (self.integers(inst, 0)?, self.integers(inst, 1)?);
        self.same_kind(inst, kind, b.0)?;
        let mut values = self.binary(inst, kind, &a, &b.1, |v, ab| Inst::Int(low, kind, v, ab))?;
        values.extend(self.binary(inst, kind, &a, &b.1, |v, ab| Inst::Int(high, kind, v, ab))?);
        self.define(inst, values)
    }

    /// OpAny and OpAll.
    pub(super) fn any_or_all(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let op = if inst.op == Op::Any { IntOp::Or } else { IntOp::And };
        let a = self.booleans(inst, 0)?;
        let mut result = a[0];
        for &x in &a[1..] {
            result = self.emit(Kind::Bool, |v| Inst::Int(op, Kind::Bool, v, [result, x]))?;
        }
        self.define(inst, vec![result])
    }

    /// Integers of one kind as integers of another.
    pub(super) fn resize(
        &mut self,
        values: &[Value],
        from: Kind,
        to: Kind,
        op: ConvertOp,
    ) -> Result<Vec<Value>, LoadError> {
        if from.size() == to.size() {
            return Ok(values.to_vec());
        }
        self.unary(to, values, |v, x| Inst::Convert(op, from.as_integer(), to.as_integer(), v, x))
    }
}
