//! The methods of the integers.

use super::{Kind, Lowering, Method, Receiver, method};
use crate::ir::{Handle, Math, Value};
use crate::lower::Builder;
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

const fn math(name: &'static str, receiver: Receiver, arguments: &'static [Kind], function: Math) -> Method {
    method(name, receiver, arguments, Kind::Same, Lowering::Math(function))
}

const fn with(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: fn(&mut Builder<'_, '_>, &[Handle<Value>]) -> Handle<Value>,
) -> Method {
    method(name, receiver, arguments, Kind::Same, Lowering::With(lowering))
}

/// A count of bits, which OpenCL gives in the type of the operand and Rust as `u32`.
const fn count(
    name: &'static str,
    lowering: fn(&mut Builder<'_, '_>, &[Handle<Value>]) -> Handle<Value>,
) -> Method {
    method(name, Receiver::Integer, &[], Kind::Scalar(Scalar::U32), Lowering::With(lowering))
}

const SAME: &[Kind] = &[Kind::Same];
const COUNT: &[Kind] = &[Kind::Scalar(Scalar::U32)];

pub(super) const METHODS: &[Method] = &[
    // `abs` of the smallest number wraps, as it does in Rust without overflow checks.
    with("abs", Receiver::Signed, &[], |b, args| {
        let zero = b.integer_like(args[0], 0);
        let negated = b.unary(UnaryOp::Neg, args[0]);
        let negative = b.binary(BinaryOp::Lt, args[0], zero);
        b.select(negative, negated, args[0])
    }),
    math("max", Receiver::Integer, SAME, Math::Max),
    math("min", Receiver::Integer, SAME, Math::Min),
    with("wrapping_add", Receiver::Integer, SAME, |b, args| b.binary(BinaryOp::Add, args[0], args[1])),
    with("wrapping_sub", Receiver::Integer, SAME, |b, args| b.binary(BinaryOp::Sub, args[0], args[1])),
    with("wrapping_mul", Receiver::Integer, SAME, |b, args| b.binary(BinaryOp::Mul, args[0], args[1])),
    with("wrapping_neg", Receiver::Integer, &[], |b, args| {
        let zero = b.integer_like(args[0], 0);
        b.binary(BinaryOp::Sub, zero, args[0])
    }),
    with("wrapping_shl", Receiver::Integer, COUNT, |b, args| b.binary(BinaryOp::Shl, args[0], args[1])),
    with("wrapping_shr", Receiver::Integer, COUNT, |b, args| b.binary(BinaryOp::Shr, args[0], args[1])),
    count("count_ones", |b, args| counted(b, Math::Popcount, args[0])),
    count("leading_zeros", |b, args| counted(b, Math::Clz, args[0])),
    count("trailing_zeros", |b, args| counted(b, Math::Ctz, args[0])),
];

fn counted(b: &mut Builder<'_, '_>, function: Math, value: Handle<Value>) -> Handle<Value> {
    let bits = b.math(function, &[value]);
    b.cast(bits, Scalar::U32)
}
