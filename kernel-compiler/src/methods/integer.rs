//! The methods of the integers.

use super::{Kind, Lowering, Method, Receiver, method, unsigned};
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

/// A question with a yes or no.
const fn test(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Kind],
    lowering: fn(&mut Builder<'_, '_>, &[Handle<Value>]) -> Handle<Value>,
) -> Method {
    method(name, receiver, arguments, Kind::Scalar(Scalar::Bool), Lowering::With(lowering))
}

const SAME: &[Kind] = &[Kind::Same];
const COUNT: &[Kind] = &[Kind::Scalar(Scalar::U32)];

pub(super) const METHODS: &[Method] = &[
    with("abs", Receiver::Signed, &[], absolute),
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
    with("wrapping_abs", Receiver::Signed, &[], absolute),
    with("saturating_add", Receiver::Integer, SAME, saturating_add),
    with("saturating_sub", Receiver::Integer, SAME, saturating_sub),
    with("rotate_left", Receiver::Integer, COUNT, |b, args| rotate(b, args, BinaryOp::Shl, BinaryOp::Shr)),
    with("rotate_right", Receiver::Integer, COUNT, |b, args| rotate(b, args, BinaryOp::Shr, BinaryOp::Shl)),
    with("div_euclid", Receiver::Integer, SAME, div_euclid),
    with("rem_euclid", Receiver::Integer, SAME, rem_euclid),
    with("div_ceil", Receiver::Unsigned, SAME, div_ceil),
    with("signum", Receiver::Signed, &[], signum),
    method("abs_diff", Receiver::Integer, SAME, Kind::Unsigned, Lowering::With(abs_diff)),
    method("unsigned_abs", Receiver::Signed, &[], Kind::Unsigned, Lowering::With(unsigned_abs)),
    test("is_positive", Receiver::Signed, &[], |b, args| with_zero(b, BinaryOp::Gt, args[0])),
    test("is_negative", Receiver::Signed, &[], |b, args| with_zero(b, BinaryOp::Lt, args[0])),
    test("is_power_of_two", Receiver::Unsigned, &[], |b, args| {
        let ones = b.math(Math::Popcount, &[args[0]]);
        let one = b.integer_like(ones, 1);
        b.binary(BinaryOp::Eq, ones, one)
    }),
    test("is_multiple_of", Receiver::Unsigned, SAME, is_multiple_of),
    count("count_ones", |b, args| counted(b, Math::Popcount, args[0])),
    count("count_zeros", |b, args| counted_in_complement(b, Math::Popcount, args[0])),
    count("leading_zeros", |b, args| counted(b, Math::Clz, args[0])),
    count("leading_ones", |b, args| counted_in_complement(b, Math::Clz, args[0])),
    count("trailing_zeros", |b, args| counted(b, Math::Ctz, args[0])),
    count("trailing_ones", |b, args| counted_in_complement(b, Math::Ctz, args[0])),
];

fn counted(b: &mut Builder<'_, '_>, function: Math, value: Handle<Value>) -> Handle<Value> {
    let bits = b.math(function, &[value]);
    b.cast(bits, Scalar::U32)
}

fn counted_in_complement(b: &mut Builder<'_, '_>, function: Math, value: Handle<Value>) -> Handle<Value> {
    let complement = b.unary(UnaryOp::Not, value);
    counted(b, function, complement)
}

/// A comparison with zero.
fn with_zero(b: &mut Builder<'_, '_>, op: BinaryOp, value: Handle<Value>) -> Handle<Value> {
    let zero = b.integer_like(value, 0);
    b.binary(op, value, zero)
}

/// The smallest number wraps, as it does in Rust without overflow checks.
fn absolute(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let negated = b.unary(UnaryOp::Neg, args[0]);
    let negative = with_zero(b, BinaryOp::Lt, args[0]);
    b.select(negative, negated, args[0])
}

fn unsigned_abs(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let absolute = absolute(b, args);
    b.cast(absolute, unsigned(b.scalar_of(args[0])))
}

/// The difference wraps to the right unsigned number whichever operand is the greater.
fn abs_diff(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let less = b.binary(BinaryOp::Lt, args[0], args[1]);
    let up = b.binary(BinaryOp::Sub, args[1], args[0]);
    let down = b.binary(BinaryOp::Sub, args[0], args[1]);
    let difference = b.select(less, up, down);
    b.cast(difference, unsigned(b.scalar_of(args[0])))
}

fn signum(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let scalar = b.scalar_of(args[0]);
    let positive = with_zero(b, BinaryOp::Gt, args[0]);
    let negative = with_zero(b, BinaryOp::Lt, args[0]);
    let (positive, negative) = (b.cast(positive, scalar), b.cast(negative, scalar));
    b.binary(BinaryOp::Sub, positive, negative)
}

/// The limit towards which a sum or difference with a negative (or else a positive) left operand overflows.
fn limit(b: &mut Builder<'_, '_>, left: Handle<Value>) -> Handle<Value> {
    let bits = b.scalar_of(left).bits();
    let (least, greatest) = (1 << (bits - 1), (1 << (bits - 1)) - 1);
    let (least, greatest) = (b.integer_like(left, least), b.integer_like(left, greatest));
    let negative = with_zero(b, BinaryOp::Lt, left);
    b.select(negative, least, greatest)
}

/// Overflows if unsigned, where the sum is less than an operand; if signed, where its sign is that of neither operand.
fn saturating_add(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let sum = b.binary(BinaryOp::Add, args[0], args[1]);
    if !b.scalar_of(sum).is_signed() {
        let overflows = b.binary(BinaryOp::Lt, sum, args[0]);
        let greatest = b.integer_like(sum, u64::MAX >> (64 - b.scalar_of(sum).bits()));
        return b.select(overflows, greatest, sum);
    }
    let left = b.binary(BinaryOp::Xor, args[0], sum);
    let right = b.binary(BinaryOp::Xor, args[1], sum);
    let both = b.binary(BinaryOp::And, left, right);
    let overflows = with_zero(b, BinaryOp::Lt, both);
    let limit = limit(b, args[0]);
    b.select(overflows, limit, sum)
}

/// Overflows if signed, where the signs of the operands differ and that of the difference is the right one's.
fn saturating_sub(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let difference = b.binary(BinaryOp::Sub, args[0], args[1]);
    if !b.scalar_of(difference).is_signed() {
        let overflows = b.binary(BinaryOp::Lt, args[0], args[1]);
        let zero = b.integer_like(difference, 0);
        return b.select(overflows, zero, difference);
    }
    let operands = b.binary(BinaryOp::Xor, args[0], args[1]);
    let changed = b.binary(BinaryOp::Xor, args[0], difference);
    let both = b.binary(BinaryOp::And, operands, changed);
    let overflows = with_zero(b, BinaryOp::Lt, both);
    let limit = limit(b, args[0]);
    b.select(overflows, limit, difference)
}

/// Shifts count modulo the width, so the other part is shifted by the negative count.
fn rotate(
    b: &mut Builder<'_, '_>,
    args: &[Handle<Value>],
    towards: BinaryOp,
    back: BinaryOp,
) -> Handle<Value> {
    let scalar = b.scalar_of(args[0]);
    let bits = b.cast(args[0], unsigned(scalar));
    let zero = b.integer_like(args[1], 0);
    let rest = b.binary(BinaryOp::Sub, zero, args[1]);
    let first = b.binary(towards, bits, args[1]);
    let second = b.binary(back, bits, rest);
    let rotated = b.binary(BinaryOp::Or, first, second);
    b.cast(rotated, scalar)
}

/// The remainder of a quotient, which may be negative.
fn remainder(b: &mut Builder<'_, '_>, args: &[Handle<Value>], quotient: Handle<Value>) -> Handle<Value> {
    let product = b.binary(BinaryOp::Mul, quotient, args[1]);
    b.binary(BinaryOp::Sub, args[0], product)
}

fn div_euclid(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let quotient = b.binary(BinaryOp::Div, args[0], args[1]);
    if !b.scalar_of(quotient).is_signed() {
        return quotient;
    }
    let remainder = remainder(b, args, quotient);
    let one = b.integer_like(quotient, 1);
    let (below, above) = (b.binary(BinaryOp::Sub, quotient, one), b.binary(BinaryOp::Add, quotient, one));
    let positive = with_zero(b, BinaryOp::Gt, args[1]);
    let adjusted = b.select(positive, below, above);
    let negative = with_zero(b, BinaryOp::Lt, remainder);
    b.select(negative, adjusted, quotient)
}

fn rem_euclid(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let remainder = b.binary(BinaryOp::Rem, args[0], args[1]);
    if !b.scalar_of(remainder).is_signed() {
        return remainder;
    }
    let (down, up) =
        (b.binary(BinaryOp::Sub, remainder, args[1]), b.binary(BinaryOp::Add, remainder, args[1]));
    let negative_divisor = with_zero(b, BinaryOp::Lt, args[1]);
    let adjusted = b.select(negative_divisor, down, up);
    let negative = with_zero(b, BinaryOp::Lt, remainder);
    b.select(negative, adjusted, remainder)
}

fn div_ceil(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let quotient = b.binary(BinaryOp::Div, args[0], args[1]);
    let remainder = remainder(b, args, quotient);
    let rest = with_zero(b, BinaryOp::Ne, remainder);
    let rest = b.cast(rest, b.scalar_of(quotient));
    b.binary(BinaryOp::Add, quotient, rest)
}

/// Only zero is a multiple of zero.
fn is_multiple_of(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let of_zero = with_zero(b, BinaryOp::Eq, args[1]);
    let one = b.integer_like(args[1], 1);
    let divisor = b.select(of_zero, one, args[1]);
    let remainder = b.defined_remainder(args[0], divisor);
    let left = b.select(of_zero, args[0], remainder);
    with_zero(b, BinaryOp::Eq, left)
}
