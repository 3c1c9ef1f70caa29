//! The methods of the integers.

pub(super) mod ascii;
pub(super) mod bits;
pub(super) mod carry;
pub(super) mod division;
pub(super) mod logarithm;
pub(super) mod mixed;
pub(super) mod overflow;
pub(super) mod powers;

use super::row::{NONE, SAME, giving, math, one, test};
use super::{Kind, Method, Receiver};
use crate::ir::{Handle, Math, Value};
use crate::lower::Builder;
use bits::to_unsigned;
use kernel_core::FaultKind;
use kernel_core::semantics::BinaryOp;
use overflow::{Abs, Operation};

pub(super) const METHODS: &[Method] = &[
    math("max", Receiver::Integer, SAME, Math::Max),
    math("min", Receiver::Integer, SAME, Math::Min),
    one("clamp", Receiver::Integer, &[Kind::Same, Kind::Same], clamp),
    one("midpoint", Receiver::Integer, SAME, midpoint),
    one("signum", Receiver::Signed, NONE, signum),
    giving(Kind::Unsigned, "abs_diff", Receiver::Integer, SAME, abs_diff),
    giving(Kind::Unsigned, "unsigned_abs", Receiver::Signed, NONE, |b, args| {
        let absolute = Abs::wrapping(b, args);
        to_unsigned(b, absolute)
    }),
    test("is_positive", Receiver::Signed, NONE, |b, args| with_zero(b, BinaryOp::Gt, args[0])),
    test("is_negative", Receiver::Signed, NONE, |b, args| with_zero(b, BinaryOp::Lt, args[0])),
];

/// A comparison with zero.
fn with_zero(b: &mut Builder<'_, '_>, op: BinaryOp, value: Handle<Value>) -> Handle<Value> {
    let zero = b.integer_like(value, 0);
    b.binary(op, value, zero)
}

/// The least number of a type.
fn least(b: &mut Builder<'_, '_>, like: Handle<Value>) -> Handle<Value> {
    let scalar = b.scalar_of(like);
    b.integer_like(like, if scalar.is_signed() { 1 << (scalar.bits() - 1) } else { 0 })
}

/// The greatest number of a type.
fn greatest(b: &mut Builder<'_, '_>, like: Handle<Value>) -> Handle<Value> {
    let scalar = b.scalar_of(like);
    let bits = scalar.bits() - u32::from(scalar.is_signed());
    b.integer_like(like, u64::MAX >> (64 - bits))
}

fn clamp(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let is_range = b.binary(BinaryOp::Le, args[1], args[2]);
    b.assert(is_range, FaultKind::ClampOrder);
    let raised = b.math(Math::Max, &[args[0], args[1]]);
    b.math(Math::Min, &[raised, args[2]])
}

/// The difference wraps to the right unsigned number whichever operand is the greater.
fn abs_diff(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let less = b.binary(BinaryOp::Lt, args[0], args[1]);
    let up = b.binary(BinaryOp::Sub, args[1], args[0]);
    let down = b.binary(BinaryOp::Sub, args[0], args[1]);
    let difference = b.select(less, up, down);
    to_unsigned(b, difference)
}

fn signum(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let scalar = b.scalar_of(args[0]);
    let positive = with_zero(b, BinaryOp::Gt, args[0]);
    let negative = with_zero(b, BinaryOp::Lt, args[0]);
    let (positive, negative) = (b.cast(positive, scalar), b.cast(negative, scalar));
    b.binary(BinaryOp::Sub, positive, negative)
}

/// The bits that the numbers share, and half of those that they do not: half the sum, rounded down. Rust rounds towards zero.
fn midpoint(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let shared = b.binary(BinaryOp::And, args[0], args[1]);
    let differing = b.binary(BinaryOp::Xor, args[0], args[1]);
    let one = b.integer_like(differing, 1);
    let half = b.binary(BinaryOp::Shr, differing, one);
    let middle = b.binary(BinaryOp::Add, shared, half);
    if !b.scalar_of(middle).is_signed() {
        return middle;
    }
    let negative = with_zero(b, BinaryOp::Lt, middle);
    let negative = b.cast(negative, b.scalar_of(middle));
    let odd = b.binary(BinaryOp::And, negative, differing);
    b.binary(BinaryOp::Add, middle, odd)
}
