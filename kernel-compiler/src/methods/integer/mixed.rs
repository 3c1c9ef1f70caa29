//! Sums and differences of a signed and an unsigned integer.
//!
//! The low bits of the result are the same whatever the signs are. The operand on the right changes the left one in a known
//! direction, so the result has overflowed where it lies on the other side.

use super::bits::to_signed;
use super::overflow::{Limited, Operation, checked, saturating, strict};
use super::{greatest, least, with_zero};
use crate::ir::{Handle, Value};
use crate::lower::Builder;
use crate::methods::row::{SAME, UNSIGNED, one, optional, overflowing, perhaps};
use crate::methods::{Kind, Method, Receiver};
use kernel_core::FaultKind;
use kernel_core::semantics::BinaryOp;

const SIGNED: &[Kind] = &[Kind::Signed];

pub(in crate::methods) const METHODS: &[Method] = &[
    one("wrapping_add_signed", Receiver::Unsigned, SIGNED, Add::wrapping),
    overflowing("overflowing_add_signed", Receiver::Unsigned, SIGNED, Add::overflowing),
    optional("checked_add_signed", Receiver::Unsigned, SIGNED, checked::<Add>),
    one("saturating_add_signed", Receiver::Unsigned, SIGNED, saturating::<Add>),
    one("strict_add_signed", Receiver::Unsigned, SIGNED, strict::<Add>),
    one("wrapping_sub_signed", Receiver::Unsigned, SIGNED, Sub::wrapping),
    overflowing("overflowing_sub_signed", Receiver::Unsigned, SIGNED, Sub::overflowing),
    optional("checked_sub_signed", Receiver::Unsigned, SIGNED, checked::<Sub>),
    one("saturating_sub_signed", Receiver::Unsigned, SIGNED, saturating::<Sub>),
    one("strict_sub_signed", Receiver::Unsigned, SIGNED, strict::<Sub>),
    one("wrapping_add_unsigned", Receiver::Signed, UNSIGNED, Add::wrapping),
    overflowing("overflowing_add_unsigned", Receiver::Signed, UNSIGNED, Add::overflowing),
    optional("checked_add_unsigned", Receiver::Signed, UNSIGNED, checked::<Add>),
    one("saturating_add_unsigned", Receiver::Signed, UNSIGNED, saturating::<Add>),
    one("strict_add_unsigned", Receiver::Signed, UNSIGNED, strict::<Add>),
    one("wrapping_sub_unsigned", Receiver::Signed, UNSIGNED, Sub::wrapping),
    overflowing("overflowing_sub_unsigned", Receiver::Signed, UNSIGNED, Sub::overflowing),
    optional("checked_sub_unsigned", Receiver::Signed, UNSIGNED, checked::<Sub>),
    one("saturating_sub_unsigned", Receiver::Signed, UNSIGNED, saturating::<Sub>),
    one("strict_sub_unsigned", Receiver::Signed, UNSIGNED, strict::<Sub>),
    perhaps(Kind::Signed, "checked_signed_diff", Receiver::Unsigned, SAME, signed_difference),
];

/// The left operand plus the right one.
pub(super) struct Add;

impl Operation for Add {
    const FAULT: FaultKind = FaultKind::AdditionOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        combined(b, BinaryOp::Add, args)
    }

    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let sum = Self::wrapping(b, args);
        let fell = b.binary(BinaryOp::Lt, sum, args[0]);
        [sum, unless_negative(b, fell, args[1])]
    }
}

impl Limited for Add {
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        let (below, above) = (least(b, args[0]), greatest(b, args[0]));
        let negative = with_zero(b, BinaryOp::Lt, args[1]);
        b.select(negative, below, above)
    }
}

/// The left operand minus the right one.
pub(super) struct Sub;

impl Operation for Sub {
    const FAULT: FaultKind = FaultKind::SubtractionOverflow;

    fn wrapping(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        combined(b, BinaryOp::Sub, args)
    }

    fn overflowing(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
        let difference = Self::wrapping(b, args);
        let rose = b.binary(BinaryOp::Gt, difference, args[0]);
        [difference, unless_negative(b, rose, args[1])]
    }
}

impl Limited for Sub {
    fn limit(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
        let (below, above) = (least(b, args[0]), greatest(b, args[0]));
        let negative = with_zero(b, BinaryOp::Lt, args[1]);
        b.select(negative, above, below)
    }
}

fn combined(b: &mut Builder<'_, '_>, op: BinaryOp, args: &[Handle<Value>]) -> Handle<Value> {
    let right = b.cast(args[1], b.scalar_of(args[0]));
    b.binary(op, args[0], right)
}

/// Returns whether the result moved in the wrong direction: `moved` says so for an operand that is not negative. With a negative operand, which
/// is not zero, the result moves either way, and the other one is wrong.
fn unless_negative(b: &mut Builder<'_, '_>, moved: Handle<Value>, operand: Handle<Value>) -> Handle<Value> {
    let negative = with_zero(b, BinaryOp::Lt, operand);
    b.binary(BinaryOp::Ne, moved, negative)
}

/// The difference of two unsigned numbers as a signed one: it fits if its sign tells which of them is less.
fn signed_difference(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let difference = b.binary(BinaryOp::Sub, args[0], args[1]);
    let difference = to_signed(b, difference);
    let is_negative = with_zero(b, BinaryOp::Lt, difference);
    let is_less = b.binary(BinaryOp::Lt, args[0], args[1]);
    [b.binary(BinaryOp::Eq, is_negative, is_less), difference]
}
