//! Division: by the operators, rounded in other ways, and the families for `MIN / -1`.
//!
//! A divisor of zero is a fault in all of them, as it is a panic in Rust.

use super::overflow::{self, Add};
use super::{greatest, least, with_zero};
use crate::ir::{Handle, Value};
use crate::lower::{Builder, DivisionChecks};
use crate::methods::row::{SAME, one, optional, overflowing, test};
use crate::methods::{Method, Receiver};
use kernel_core::semantics::{BinaryOp, UnaryOp};

pub(in crate::methods) const METHODS: &[Method] = &[
    one("strict_div", Receiver::Integer, SAME, strict::<Quotient>),
    one("wrapping_div", Receiver::Integer, SAME, wrapping::<Quotient>),
    overflowing("overflowing_div", Receiver::Integer, SAME, with_overflow::<Quotient>),
    optional("checked_div", Receiver::Integer, SAME, checked::<Quotient>),
    one("saturating_div", Receiver::Integer, SAME, saturating_div),
    one("strict_rem", Receiver::Integer, SAME, strict::<Remainder>),
    one("wrapping_rem", Receiver::Integer, SAME, wrapping::<Remainder>),
    overflowing("overflowing_rem", Receiver::Integer, SAME, with_overflow::<Remainder>),
    optional("checked_rem", Receiver::Integer, SAME, checked::<Remainder>),
    one("div_euclid", Receiver::Integer, SAME, strict::<EuclideanQuotient>),
    one("strict_div_euclid", Receiver::Integer, SAME, strict::<EuclideanQuotient>),
    one("wrapping_div_euclid", Receiver::Integer, SAME, wrapping::<EuclideanQuotient>),
    overflowing("overflowing_div_euclid", Receiver::Integer, SAME, with_overflow::<EuclideanQuotient>),
    optional("checked_div_euclid", Receiver::Integer, SAME, checked::<EuclideanQuotient>),
    one("rem_euclid", Receiver::Integer, SAME, strict::<EuclideanRemainder>),
    one("strict_rem_euclid", Receiver::Integer, SAME, strict::<EuclideanRemainder>),
    one("wrapping_rem_euclid", Receiver::Integer, SAME, wrapping::<EuclideanRemainder>),
    overflowing("overflowing_rem_euclid", Receiver::Integer, SAME, with_overflow::<EuclideanRemainder>),
    optional("checked_rem_euclid", Receiver::Integer, SAME, checked::<EuclideanRemainder>),
    one("div_ceil", Receiver::Unsigned, SAME, div_ceil),
    one("next_multiple_of", Receiver::Unsigned, SAME, next_multiple_of),
    optional("checked_next_multiple_of", Receiver::Unsigned, SAME, checked_next_multiple_of),
    test("is_multiple_of", Receiver::Unsigned, SAME, is_multiple_of),
];

/// A result of dividing one integer by another.
trait Division {
    /// The result, with these checks.
    fn of(b: &mut Builder<'_, '_>, args: &[Handle<Value>], checks: DivisionChecks) -> Handle<Value>;
}

/// The result, where there is one that fits; else there is a fault, as with the operators.
fn strict<D: Division>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    D::of(b, args, DivisionChecks::All)
}

/// The result for `MIN` and `-1` is that for `MIN` and `1`: `MIN` is the wrapped quotient, and the remainder is zero.
fn wrapping<D: Division>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    with_overflow::<D>(b, args)[0]
}

/// The wrapped result, and whether the operands are `MIN` and `-1`.
fn with_overflow<D: Division>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let Some(overflows) = overflows(b, args) else {
        return [D::of(b, args, DivisionChecks::All), b.none_like(args[0])];
    };
    let one = b.integer_like(args[1], 1);
    let divisor = b.select(overflows, one, args[1]);
    [D::of(b, &[args[0], divisor], DivisionChecks::Zero), overflows]
}

/// Returns whether there is a result that fits, and the result.
fn checked<D: Division>(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let mut is_defined = with_zero(b, BinaryOp::Ne, args[1]);
    if let Some(overflows) = overflows(b, args) {
        let fits = b.unary(UnaryOp::Not, overflows);
        is_defined = b.binary(BinaryOp::And, is_defined, fits);
    }
    let one = b.integer_like(args[1], 1);
    let divisor = b.select(is_defined, args[1], one);
    [is_defined, D::of(b, &[args[0], divisor], DivisionChecks::None)]
}

/// Returns whether the operands are `MIN` and `-1`; none if that is known not to be so.
fn overflows(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Option<Handle<Value>> {
    let scalar = b.scalar_of(args[0]);
    let minus_one = u64::MAX >> (64 - scalar.bits());
    if !scalar.is_signed() || b.constant_of(args[1]).is_some_and(|divisor| divisor != minus_one) {
        return None;
    }
    let (least, minus_one) = (least(b, args[0]), b.integer_like(args[1], minus_one));
    let is_least = b.binary(BinaryOp::Eq, args[0], least);
    let is_minus_one = b.binary(BinaryOp::Eq, args[1], minus_one);
    Some(b.binary(BinaryOp::And, is_least, is_minus_one))
}

fn saturating_div(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let [quotient, overflows] = with_overflow::<Quotient>(b, args);
    let greatest = greatest(b, args[0]);
    b.select(overflows, greatest, quotient)
}

/// `/`.
struct Quotient;

impl Division for Quotient {
    fn of(b: &mut Builder<'_, '_>, args: &[Handle<Value>], checks: DivisionChecks) -> Handle<Value> {
        b.divide(BinaryOp::Div, args[0], args[1], checks)
    }
}

/// `%`.
struct Remainder;

impl Division for Remainder {
    fn of(b: &mut Builder<'_, '_>, args: &[Handle<Value>], checks: DivisionChecks) -> Handle<Value> {
        b.divide(BinaryOp::Rem, args[0], args[1], checks)
    }
}

/// The quotient whose remainder is not negative.
struct EuclideanQuotient;

impl Division for EuclideanQuotient {
    fn of(b: &mut Builder<'_, '_>, args: &[Handle<Value>], checks: DivisionChecks) -> Handle<Value> {
        let quotient = Quotient::of(b, args, checks);
        if !b.scalar_of(quotient).is_signed() {
            return quotient;
        }
        let remainder = rest(b, args, quotient);
        let one = b.integer_like(quotient, 1);
        let below = b.binary(BinaryOp::Sub, quotient, one);
        let above = b.binary(BinaryOp::Add, quotient, one);
        let positive = with_zero(b, BinaryOp::Gt, args[1]);
        let adjusted = b.select(positive, below, above);
        let negative = with_zero(b, BinaryOp::Lt, remainder);
        b.select(negative, adjusted, quotient)
    }
}

/// The remainder that is not negative.
struct EuclideanRemainder;

impl Division for EuclideanRemainder {
    fn of(b: &mut Builder<'_, '_>, args: &[Handle<Value>], checks: DivisionChecks) -> Handle<Value> {
        let remainder = Remainder::of(b, args, checks);
        if !b.scalar_of(remainder).is_signed() {
            return remainder;
        }
        let down = b.binary(BinaryOp::Sub, remainder, args[1]);
        let up = b.binary(BinaryOp::Add, remainder, args[1]);
        let negative_divisor = with_zero(b, BinaryOp::Lt, args[1]);
        let adjusted = b.select(negative_divisor, down, up);
        let negative = with_zero(b, BinaryOp::Lt, remainder);
        b.select(negative, adjusted, remainder)
    }
}

/// What a quotient leaves, which may be negative.
fn rest(b: &mut Builder<'_, '_>, args: &[Handle<Value>], quotient: Handle<Value>) -> Handle<Value> {
    let product = b.binary(BinaryOp::Mul, quotient, args[1]);
    b.binary(BinaryOp::Sub, args[0], product)
}

fn div_ceil(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let quotient = b.binary(BinaryOp::Div, args[0], args[1]);
    let remainder = rest(b, args, quotient);
    let more = with_zero(b, BinaryOp::Ne, remainder);
    let more = b.cast(more, b.scalar_of(quotient));
    b.binary(BinaryOp::Add, quotient, more)
}

/// Wraps if there is none, unless that is to be a fault.
fn next_multiple_of(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let remainder = b.binary(BinaryOp::Rem, args[0], args[1]);
    let missing = missing(b, args[1], remainder);
    overflow::inherited::<Add>(b, &[args[0], missing])
}

fn checked_next_multiple_of(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> [Handle<Value>; 2] {
    let [is_defined, remainder] = checked::<Remainder>(b, args);
    let missing = missing(b, args[1], remainder);
    let [fits, next] = overflow::checked::<Add>(b, &[args[0], missing]);
    [b.binary(BinaryOp::And, is_defined, fits), next]
}

/// What is missing to the next multiple after a remainder.
fn missing(b: &mut Builder<'_, '_>, divisor: Handle<Value>, remainder: Handle<Value>) -> Handle<Value> {
    let missing = b.binary(BinaryOp::Sub, divisor, remainder);
    let is_multiple = with_zero(b, BinaryOp::Eq, remainder);
    b.select(is_multiple, remainder, missing)
}

/// Only zero is a multiple of zero.
fn is_multiple_of(b: &mut Builder<'_, '_>, args: &[Handle<Value>]) -> Handle<Value> {
    let of_zero = with_zero(b, BinaryOp::Eq, args[1]);
    let one = b.integer_like(args[1], 1);
    let divisor = b.select(of_zero, one, args[1]);
    let remainder = b.divide(BinaryOp::Rem, args[0], divisor, DivisionChecks::None);
    let left = b.select(of_zero, args[0], remainder);
    with_zero(b, BinaryOp::Eq, left)
}
