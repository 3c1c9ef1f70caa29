//! Logarithms of integers, rounded down.

use super::with_zero;
use crate::ir::{Handle, Math, Value};
use crate::lower::{Builder, DivisionChecks};
use crate::methods::row::{NONE, SAME, giving, perhaps};
use crate::methods::{Kind, Method, One, Receiver, Two};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

pub(in crate::methods) const METHODS: &[Method] = &[
    logarithm("ilog", SAME, |b, args| {
        let is_base = is_base(b, args[1]);
        b.assert(is_base, FaultKind::LogarithmBase);
        assert_positive(b, args[0]);
        to_base(b, args)
    }),
    logarithm("ilog2", NONE, |b, args| {
        assert_positive(b, args[0]);
        binary(b, args[0])
    }),
    logarithm("ilog10", NONE, |b, args| {
        assert_positive(b, args[0]);
        decimal(b, args[0])
    }),
    optional("checked_ilog", SAME, |b, args| {
        let is_positive = is_positive(b, args[0]);
        let is_base = is_base(b, args[1]);
        [b.binary(BinaryOp::And, is_positive, is_base), to_base(b, args)]
    }),
    optional("checked_ilog2", NONE, |b, args| [is_positive(b, args[0]), binary(b, args[0])]),
    optional("checked_ilog10", NONE, |b, args| [is_positive(b, args[0]), decimal(b, args[0])]),
];

const fn logarithm(name: &'static str, arguments: &'static [Kind], lowering: One) -> Method {
    giving(Kind::Scalar(Scalar::U32), name, Receiver::Integer, arguments, lowering)
}

const fn optional(name: &'static str, arguments: &'static [Kind], lowering: Two) -> Method {
    perhaps(Kind::Scalar(Scalar::U32), name, Receiver::Integer, arguments, lowering)
}

fn assert_positive(b: &mut Builder<'_, '_>, value: Handle<Value>) {
    let is_positive = is_positive(b, value);
    b.assert(is_positive, FaultKind::LogarithmOfNonPositive);
}

fn is_positive(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    with_zero(b, BinaryOp::Gt, value)
}

fn is_base(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    let two = b.integer_like(value, 2);
    b.binary(BinaryOp::Ge, value, two)
}

/// How often a number can be divided by the base; by two at least, so that there is an end.
fn to_base(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let two = b.integer_like(args[1], 2);
    let base = b.math(Math::Max, &[args[1], two]);
    let rest = b.variable_of(args[0]);
    let zero = b.constant(Scalar::U32, 0);
    let count = b.variable_of(zero);
    let is_more = |b: &mut Builder<'_, '_>| {
        let rest = b.load_variable(rest);
        b.binary(BinaryOp::Ge, rest, base)
    };
    b.repeat_while(is_more, |b| {
        let dividend = b.load_variable(rest);
        let quotient = b.divide(BinaryOp::Div, dividend, base, DivisionChecks::None);
        b.store_variable(rest, quotient);
        let current = b.load_variable(count);
        let one = b.integer_like(current, 1);
        let next = b.binary(BinaryOp::Add, current, one);
        b.store_variable(count, next);
    });
    b.load_variable(count)
}

/// The position of the highest bit; that of zero is 0.
fn binary(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    let last = b.integer_like(value, u64::from(b.scalar_of(value).bits() - 1));
    let one = b.integer_like(value, 1);
    let value = b.binary(BinaryOp::Or, value, one);
    let leading = b.math(Math::Clz, &[value]);
    let position = b.binary(BinaryOp::Sub, last, leading);
    b.cast(position, Scalar::U32)
}

/// How many powers of ten from 10 on are not greater.
fn decimal(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    let scalar = b.scalar_of(value);
    let greatest = u64::MAX >> (64 - scalar.bits() + u32::from(scalar.is_signed()));
    let powers = std::iter::successors(Some(10_u64), |power| power.checked_mul(10));
    let zero = b.constant(Scalar::U32, 0);
    powers.take_while(|&power| power <= greatest).fold(zero, |count, power| {
        let power = b.integer_like(value, power);
        let is_reached = b.binary(BinaryOp::Ge, value, power);
        let is_reached = b.cast(is_reached, Scalar::U32);
        b.binary(BinaryOp::Add, count, is_reached)
    })
}
