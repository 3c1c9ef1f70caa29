//! Floats of 16 bits.
//!
//! `bf16` has no operations in the intermediate representation: its numbers are computed with in `f32`, of which they are the
//! upper half, and each result is rounded. So are those methods of `f16` that consist of several operations, as on the host.

use super::Builder;
use super::memory::Operand;
use crate::ir::{Class, Handle, Math, Value};
use crate::methods::{Kind, Lowering, Method, Outcome};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{bf16, f16};

/// The bits of the float of a type that is nearest to a number, which for a half is one of `f32`.
pub(super) fn float_bits(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::F16 => f16::from_f32(value as f32).to_bits().into(),
        Scalar::Bf16 => bf16::from_f32(value as f32).to_bits().into(),
        Scalar::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}

/// The bits of the float that a literal or the text of a constant stands for.
///
/// The text was a float literal to the parser, so it is one to the standard library. That of a half is one of its own values.
pub(super) fn parsed_bits(scalar: Scalar, text: &str) -> u64 {
    if scalar == Scalar::F64 {
        return text.parse::<f64>().map_or(0, f64::to_bits);
    }
    let value = text.parse::<f32>().unwrap_or(0.0);
    float_bits(scalar, value.into())
}

impl Builder<'_, '_> {
    /// A method applied to arguments of the types that it takes, with a result of this type.
    pub(super) fn method(&mut self, method: &Method, arguments: &[Handle<Value>], result: Scalar) -> Operand {
        let receiver = self.scalar_of(arguments[0]);
        let in_f32 = match method.lowering {
            Lowering::Cast | Lowering::Bitcast => false,
            Lowering::Math(_) | Lowering::Classify(_) => receiver == Scalar::Bf16,
            // No method of a half gives more than one scalar.
            Lowering::With(_) | Lowering::Pair(_) | Lowering::Optional(_) => receiver.is_half(),
        };
        if !in_f32 {
            return self.apply(method, arguments, result);
        }
        let wide = |builder: &mut Self, value| match builder.scalar_of(value) {
            scalar if scalar == receiver => builder.cast(value, Scalar::F32),
            _ => value,
        };
        let arguments: Vec<_> = arguments.iter().map(|&argument| wide(self, argument)).collect();
        match (self.apply(method, &arguments, result), method.result) {
            (Operand::Value(value), Outcome::One(Kind::Same)) => Operand::Value(self.cast(value, receiver)),
            (operand, _) => operand,
        }
    }

    fn apply(&mut self, method: &Method, arguments: &[Handle<Value>], result: Scalar) -> Operand {
        Operand::Value(match method.lowering {
            Lowering::Math(function) => self.math(function, arguments),
            Lowering::Classify(class) => self.classify(class, arguments[0]),
            Lowering::Cast => self.cast(arguments[0], result),
            Lowering::Bitcast => self.bitcast(arguments[0], result),
            Lowering::With(lower) => lower(self, arguments),
            Lowering::Pair(lower) => {
                return Operand::Tuple(lower(self, arguments).map(Operand::Value).into());
            }
            Lowering::Optional(lower) => {
                let [is_some, value] = lower(self, arguments).map(Operand::Value);
                return Operand::Tuple(vec![is_some, Operand::UNIT, Operand::Tuple(vec![value])]);
            }
        })
    }

    /// A function of floats of any type.
    pub(super) fn float_math(&mut self, function: Math, arguments: &[Handle<Value>]) -> Handle<Value> {
        let scalar = self.scalar_of(arguments[0]);
        if scalar != Scalar::Bf16 {
            return self.math(function, arguments);
        }
        let wide: Vec<_> = arguments.iter().map(|&argument| self.cast(argument, Scalar::F32)).collect();
        let result = self.math(function, &wide);
        self.cast(result, scalar)
    }

    /// A unary operator on a `bf16`.
    pub(super) fn unary_bf16(&mut self, op: UnaryOp, operand: Handle<Value>) -> Handle<Value> {
        let operand = self.cast(operand, Scalar::F32);
        let result = self.unary(op, operand);
        self.cast(result, Scalar::Bf16)
    }

    /// A binary operator on two `bf16`.
    pub(super) fn binary_bf16(
        &mut self,
        op: BinaryOp,
        left: Handle<Value>,
        right: Handle<Value>,
    ) -> Handle<Value> {
        let [left, right] = [left, right].map(|operand| self.cast(operand, Scalar::F32));
        let result = self.binary(op, left, right);
        if op.is_comparison() { result } else { self.cast(result, Scalar::Bf16) }
    }

    /// `as`, if it existed, from or to `bf16`: by way of `f32`.
    pub(super) fn cast_bf16(&mut self, operand: Handle<Value>, to: Scalar) -> Handle<Value> {
        match self.scalar_of(operand) {
            Scalar::Bf16 => {
                let single = self.widen_bf16(operand);
                self.cast(single, to)
            }
            Scalar::F64 => self.round_double(operand),
            _ => {
                let single = self.cast(operand, Scalar::F32);
                self.round_single(single)
            }
        }
    }

    fn widen_bf16(&mut self, operand: Handle<Value>) -> Handle<Value> {
        let upper = self.bitcast(operand, Scalar::U16);
        let upper = self.cast(upper, Scalar::U32);
        let bits = self.with_number(BinaryOp::Shl, upper, 16);
        self.bitcast(bits, Scalar::F32)
    }

    /// Rounds the lower half away, to the nearest number and halfway to the even one; a NaN stays one.
    fn round_single(&mut self, operand: Handle<Value>) -> Handle<Value> {
        let bits = self.bitcast(operand, Scalar::U32);
        let upper = self.with_number(BinaryOp::Shr, bits, 16);
        let odd = self.with_number(BinaryOp::And, upper, 1);
        let half = self.with_number(BinaryOp::Add, odd, 0x7fff);
        let carried = self.binary(BinaryOp::Add, bits, half);
        let rounded = self.with_number(BinaryOp::Shr, carried, 16);
        let quiet = self.with_number(BinaryOp::Or, upper, 0x40);
        let is_nan = self.classify(Class::Nan, operand);
        let result = self.select(is_nan, quiet, rounded);
        let result = self.cast(result, Scalar::U16);
        self.bitcast(result, Scalar::Bf16)
    }

    /// Rounds a double once: the step by way of `f32` sets its last bit where it loses something, which keeps what it lost from
    /// being taken for halfway.
    fn round_double(&mut self, operand: Handle<Value>) -> Handle<Value> {
        let near = self.cast(operand, Scalar::F32);
        let bits = self.bitcast(near, Scalar::U32);
        let back = self.cast(near, Scalar::F64);
        let [back, exact] = [back, operand].map(|value| self.math(Math::Fabs, &[value]));
        let one = self.integer_like(bits, 1);
        let odd = self.with_number(BinaryOp::And, bits, 1);
        let even = self.binary(BinaryOp::Sub, one, odd);
        let [above, below] = [BinaryOp::Gt, BinaryOp::Lt].map(|op| {
            let differs = self.binary(op, back, exact);
            let differs = self.cast(differs, Scalar::U32);
            self.binary(BinaryOp::And, differs, even)
        });
        let bits = self.binary(BinaryOp::Sub, bits, above);
        let bits = self.binary(BinaryOp::Add, bits, below);
        let odd = self.bitcast(bits, Scalar::F32);
        self.round_single(odd)
    }

    fn with_number(&mut self, op: BinaryOp, left: Handle<Value>, right: u64) -> Handle<Value> {
        let right = self.integer_like(left, right);
        self.binary(op, left, right)
    }
}
