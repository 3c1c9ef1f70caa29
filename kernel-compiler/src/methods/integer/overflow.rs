//! The families `wrapping_`, `overflowing_`, `checked_`, `saturating_`, `unchecked_` and `strict_` of the operations whose exact result may not fit.

use super::{greatest, least, with_zero};
use crate::ir::{Handle, Math, Value};
use crate::lower::Builder;
use crate::methods::row::{COUNT, NONE, SAME, one, optional, overflowing};
use crate::methods::{Method, Receiver};
use kernel_core::FaultKind;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// An operation on integers whose exact result may not fit.
pub(super) trait Operation {
    /// What goes wrong where the exact result is needed and does not fit.
    const FAULT: FaultKind;

    /// The low bits of the exact result.
    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value>;

    /// The low bits of the exact result, and whether they are not all there is to it.
    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2];
}

/// An operation whose exact result has a limit on its side where it does not fit.
pub(super) trait Limited: Operation {
    /// The number that is nearest to an exact result that does not fit.
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value>;
}

/// The exact result, or what is nearest to it.
pub(super) fn saturating<O: Limited>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let [wrapped, overflows] = O::overflowing(b, args);
    let limit = O::limit(b, args);
    b.select(overflows, limit, wrapped)
}

/// Returns whether the exact result fits, and the result.
pub(super) fn checked<O: Operation>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let [wrapped, overflows] = O::overflowing(b, args);
    [b.unary(UnaryOp::Not, overflows), wrapped]
}

/// The exact result; there is a fault if it does not fit.
pub(super) fn strict<O: Operation>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let [fits, wrapped] = checked::<O>(b, args);
    b.assert_fits(fits, O::FAULT, args);
    wrapped
}

/// The low bits of the exact result; there is a fault if that does not fit and the code which calls the method asks for it.
pub(super) fn inherited<O: Operation>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    if b.checks_overflow() { strict::<O>(b, args) } else { O::wrapping(b, args) }
}

pub(in crate::methods) const METHODS: &[Method] = &[
    one("wrapping_add", Receiver::Integer, SAME, Add::wrapping),
    overflowing("overflowing_add", Receiver::Integer, SAME, Add::overflowing),
    optional("checked_add", Receiver::Integer, SAME, checked::<Add>),
    one("saturating_add", Receiver::Integer, SAME, saturating::<Add>),
    one("unchecked_add", Receiver::Integer, SAME, Add::wrapping),
    one("strict_add", Receiver::Integer, SAME, strict::<Add>),
    one("wrapping_sub", Receiver::Integer, SAME, Sub::wrapping),
    overflowing("overflowing_sub", Receiver::Integer, SAME, Sub::overflowing),
    optional("checked_sub", Receiver::Integer, SAME, checked::<Sub>),
    one("saturating_sub", Receiver::Integer, SAME, saturating::<Sub>),
    one("unchecked_sub", Receiver::Integer, SAME, Sub::wrapping),
    one("strict_sub", Receiver::Integer, SAME, strict::<Sub>),
    one("wrapping_mul", Receiver::Integer, SAME, Mul::wrapping),
    overflowing("overflowing_mul", Receiver::Integer, SAME, Mul::overflowing),
    optional("checked_mul", Receiver::Integer, SAME, checked::<Mul>),
    one("saturating_mul", Receiver::Integer, SAME, saturating::<Mul>),
    one("unchecked_mul", Receiver::Integer, SAME, Mul::wrapping),
    one("strict_mul", Receiver::Integer, SAME, strict::<Mul>),
    one("wrapping_neg", Receiver::Integer, NONE, Neg::wrapping),
    overflowing("overflowing_neg", Receiver::Integer, NONE, Neg::overflowing),
    optional("checked_neg", Receiver::Integer, NONE, checked::<Neg>),
    one("saturating_neg", Receiver::Signed, NONE, saturating::<Neg>),
    one("unchecked_neg", Receiver::Signed, NONE, Neg::wrapping),
    one("strict_neg", Receiver::Integer, NONE, strict::<Neg>),
    one("abs", Receiver::Signed, NONE, inherited::<Abs>),
    one("wrapping_abs", Receiver::Signed, NONE, Abs::wrapping),
    overflowing("overflowing_abs", Receiver::Signed, NONE, Abs::overflowing),
    optional("checked_abs", Receiver::Signed, NONE, checked::<Abs>),
    one("saturating_abs", Receiver::Signed, NONE, saturating::<Abs>),
    one("strict_abs", Receiver::Signed, NONE, strict::<Abs>),
    one("wrapping_shl", Receiver::Integer, COUNT, ShiftLeft::wrapping),
    overflowing("overflowing_shl", Receiver::Integer, COUNT, ShiftLeft::overflowing),
    optional("checked_shl", Receiver::Integer, COUNT, checked::<ShiftLeft>),
    one("unchecked_shl", Receiver::Integer, COUNT, ShiftLeft::wrapping),
    one("strict_shl", Receiver::Integer, COUNT, strict::<ShiftLeft>),
    one("wrapping_shr", Receiver::Integer, COUNT, ShiftRight::wrapping),
    overflowing("overflowing_shr", Receiver::Integer, COUNT, ShiftRight::overflowing),
    optional("checked_shr", Receiver::Integer, COUNT, checked::<ShiftRight>),
    one("unchecked_shr", Receiver::Integer, COUNT, ShiftRight::wrapping),
    one("strict_shr", Receiver::Integer, COUNT, strict::<ShiftRight>),
];

/// `+`.
pub(super) struct Add;

impl Operation for Add {
    const FAULT: FaultKind = FaultKind::AdditionOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        b.binary(BinaryOp::Add, args[0], args[1])
    }

    /// Overflows if unsigned, where the sum is less than an operand; if signed, where its sign is that of neither operand.
    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let sum = Self::wrapping(b, args);
        if !b.scalar_of(sum).is_signed() {
            let overflows = b.binary(BinaryOp::Lt, sum, args[0]);
            return [sum, overflows];
        }
        let left = b.binary(BinaryOp::Xor, args[0], sum);
        let right = b.binary(BinaryOp::Xor, args[1], sum);
        let both = b.binary(BinaryOp::And, left, right);
        [sum, with_zero(b, BinaryOp::Lt, both)]
    }
}

impl Limited for Add {
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        limit_towards(b, args[0])
    }
}

/// `-`.
pub(super) struct Sub;

impl Operation for Sub {
    const FAULT: FaultKind = FaultKind::SubtractionOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        b.binary(BinaryOp::Sub, args[0], args[1])
    }

    /// Overflows if signed, where the signs of the operands differ and that of the difference is the right one's.
    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let difference = Self::wrapping(b, args);
        if !b.scalar_of(difference).is_signed() {
            let overflows = b.binary(BinaryOp::Lt, args[0], args[1]);
            return [difference, overflows];
        }
        let operands = b.binary(BinaryOp::Xor, args[0], args[1]);
        let changed = b.binary(BinaryOp::Xor, args[0], difference);
        let both = b.binary(BinaryOp::And, operands, changed);
        [difference, with_zero(b, BinaryOp::Lt, both)]
    }
}

impl Limited for Sub {
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        if b.scalar_of(args[0]).is_signed() { limit_towards(b, args[0]) } else { b.integer_like(args[0], 0) }
    }
}

/// `*`.
pub(super) struct Mul;

impl Operation for Mul {
    const FAULT: FaultKind = FaultKind::MultiplicationOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        b.binary(BinaryOp::Mul, args[0], args[1])
    }

    /// Overflows where the upper half of the product is not the extension of the lower half.
    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let product = Self::wrapping(b, args);
        let scalar = b.scalar_of(product);
        let high = b.math(Math::MulHi, &[args[0], args[1]]);
        let extension = if scalar.is_signed() {
            let last = b.integer_like(product, u64::from(scalar.bits() - 1));
            b.binary(BinaryOp::Shr, product, last)
        } else {
            b.integer_like(product, 0)
        };
        [product, b.binary(BinaryOp::Ne, high, extension)]
    }
}

impl Limited for Mul {
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        let sign = b.binary(BinaryOp::Xor, args[0], args[1]);
        limit_towards(b, sign)
    }
}

/// Unary `-`.
pub(super) struct Neg;

impl Operation for Neg {
    const FAULT: FaultKind = FaultKind::NegationOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        let zero = b.integer_like(args[0], 0);
        b.binary(BinaryOp::Sub, zero, args[0])
    }

    /// Only the least signed number has no opposite, and only zero is an unsigned opposite.
    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let overflows = if b.scalar_of(args[0]).is_signed() {
            is_least(b, args[0])
        } else {
            with_zero(b, BinaryOp::Ne, args[0])
        };
        [Self::wrapping(b, args), overflows]
    }
}

impl Limited for Neg {
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        greatest(b, args[0])
    }
}

/// `abs`.
pub(super) struct Abs;

impl Operation for Abs {
    const FAULT: FaultKind = FaultKind::NegationOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        let negated = b.unary(UnaryOp::Neg, args[0]);
        let negative = with_zero(b, BinaryOp::Lt, args[0]);
        b.select(negative, negated, args[0])
    }

    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let overflows = is_least(b, args[0]);
        [Self::wrapping(b, args), overflows]
    }
}

impl Limited for Abs {
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        greatest(b, args[0])
    }
}

/// `<<`.
pub(super) struct ShiftLeft;

impl Operation for ShiftLeft {
    const FAULT: FaultKind = FaultKind::LeftShiftOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        b.binary(BinaryOp::Shl, args[0], args[1])
    }

    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        [Self::wrapping(b, args), is_by_width(b, args)]
    }
}

/// `>>`.
pub(super) struct ShiftRight;

impl Operation for ShiftRight {
    const FAULT: FaultKind = FaultKind::RightShiftOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        b.binary(BinaryOp::Shr, args[0], args[1])
    }

    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        [Self::wrapping(b, args), is_by_width(b, args)]
    }
}

/// Returns whether a shift is by the width or more.
fn is_by_width(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let last = b.integer_like(args[1], u64::from(b.scalar_of(args[0]).bits() - 1));
    b.binary(BinaryOp::Gt, args[1], last)
}

fn is_least(b: &mut Builder<'_, '_>, value: Handle<Value>) -> Handle<Value> {
    let least = least(b, value);
    b.binary(BinaryOp::Eq, value, least)
}

/// The limit on the side of a number's sign.
pub(super) fn limit_towards(b: &mut Builder<'_, '_>, sign: Handle<Value>) -> Handle<Value> {
    let greatest = greatest(b, sign);
    if !b.scalar_of(sign).is_signed() {
        return greatest;
    }
    let least = least(b, sign);
    let negative = with_zero(b, BinaryOp::Lt, sign);
    b.select(negative, least, greatest)
}
